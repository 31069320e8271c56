import type { TwinReply } from '../common/server.ts'

export interface Challenge {
  readonly kind: 'payment_intent' | 'setup_intent'
  readonly id: string
  readonly clientSecret: string
  /** Such as `12.00 EUR`; null for a card that is only verified. */
  readonly amount: string | null
  readonly returnUrl: string | null
}

/** The bank's page: two forms that work without a script. */
export function challengePage({ id, clientSecret, amount }: Challenge): TwinReply {
  const form = (answer: string, label: string): string => `
    <form method="post" action="/challenge/${id}">
      <input type="hidden" name="client_secret" value="${clientSecret}">
      <button name="answer" value="${answer}" id="${answer}">${label}</button>
    </form>`
  const page = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>3-D Secure (twin of Stripe)</title></head>
  <body>
    <h1>Your bank asks for your consent</h1>
    <p>${amount === null ? 'A shop wants to store this card.' : `A shop wants to charge ${amount}.`}</p>
    ${form('approve', 'Complete authentication')}
    ${form('decline', 'Fail authentication')}
  </body>
</html>`
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: page,
  }
}

/** Sends the payer back with the query members that Stripe adds. */
export function challengeAnswered(
  { kind, id, clientSecret, returnUrl }: Challenge,
  succeeded: boolean,
): TwinReply {
  if (returnUrl === null) {
    return {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: 'You can close this page.',
    }
  }
  const url = new URL(returnUrl)
  url.searchParams.set(kind, id)
  url.searchParams.set(`${kind}_client_secret`, clientSecret)
  if (kind === 'setup_intent') url.searchParams.set('redirect_status', succeeded ? 'succeeded' : 'failed')
  else url.searchParams.set('source_type', 'card')
  return { status: 303, headers: { location: url.href }, body: '' }
}
