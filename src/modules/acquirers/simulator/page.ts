import type { Found } from './books.ts'

/** The payer's page: what a bank or a wallet would show. Everything that came from outside is escaped. */
export function payerPage(found: Found): string {
  if (found.kind === 'absent')
    return page('Nothing to confirm', '<p>This payment was closed or never began.</p>')
  const { payment } = found
  const asked =
    payment.amount === null
      ? 'Confirm that this is your card.'
      : `Pay ${payment.amount.currency} ${payment.amount.toString()}`
  if (payment.end !== null) {
    const said = payment.end.outcome === 'approved' ? 'Confirmed.' : 'Not confirmed.'
    const back = payment.returnUrl === null ? '' : `<p><a href="${escape(payment.returnUrl)}">Go back</a></p>`
    return page(said, `<p>${escape(asked)}</p>${back}`)
  }
  const title = payment.waitsFor === 'three_d_secure' ? '3-D Secure' : 'Wallet payment'
  const key = escape(payment.key)
  return page(
    title,
    `<p>${escape(asked)}</p>
<form method="post" action="/payments/${key}/confirm"><button>Confirm</button></form>
<form method="post" action="/payments/${key}/decline"><button>Decline</button></form>`,
  )
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>body { font: 1rem/1.5 system-ui; margin: 15vh auto; max-width: 22rem; text-align: center }
button { font: inherit; margin: .25rem; padding: .5rem 2rem }</style>
<h1>${escape(title)}</h1>
${body}
<p><small>Acquirer simulator: no money moves.</small></p>
</html>
`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
