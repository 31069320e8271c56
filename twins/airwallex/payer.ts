import type { TwinReply } from '../common/server.ts'
import type { Call } from './call.ts'
import { consentAnswered } from './customers.ts'
import { invalid } from './errors.ts'
import { payerActed } from './intents.ts'
import type { AccountStore, NextAction } from './store.ts'

const IN_TEXT = /(?:int|cst)_hkdm[a-z0-9]{15}/

/** `POST …/shopper_actions/…`: `url` is that of `next_action`, or the text of a code that has none. */
export function shopperAction(call: Call, isApproved: boolean): object {
  const url = call.body.required('url', 2_000)
  const [id] = IN_TEXT.exec(url) ?? []
  if (id === undefined) throw invalid('url', 'is not that of a next_action')
  return answerAsPayer(call, id, isApproved)
}

export function answerAsPayer(call: Call, id: string, isApproved: boolean): object {
  return id.startsWith('cst_') ? consentAnswered(call.tx, id, isApproved) : payerActed(call, id, isApproved)
}

/** Without anybody's request: agreements are made, and one code of five is refused. */
export function actByItself(call: Call, id: string): void {
  const row = call.tx.get(id.startsWith('cst_') ? 'consent' : 'intent', id)
  if (row.object.status !== 'REQUIRES_CUSTOMER_ACTION') return
  answerAsPayer(call, id, id.startsWith('cst_') || !/[a-g]$/.test(id))
}

export interface Asked {
  readonly account: string
  readonly id: string
  readonly returnUrl: string | null
}

/** What the payer's page is about; undefined once it was answered or canceled. */
export function findAsked(
  accounts: ReadonlyMap<string, AccountStore>,
  id: string,
  secret: string,
): Asked | undefined {
  for (const [account, store] of accounts) {
    const row = store.rows('intent').get(id) ?? store.rows('consent').get(id)
    if (row === undefined) continue
    const { next_action: action } = row.object
    if (secretOf(action) !== secret) return undefined
    return { account, id, returnUrl: row.hidden.returnUrl ?? null }
  }
  return undefined
}

function secretOf(action: NextAction | undefined): string | null {
  const { url } = action ?? {}
  return url === undefined ? null : new URL(url).searchParams.get('secret')
}

export function payerPage(id: string): TwinReply {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Confirm</title>
<h1>Confirm ${id.startsWith('cst_') ? 'the agreement' : 'the payment'}</h1>
<form method="post"><button name="answer" value="approve">Confirm</button>
<button name="answer" value="decline">Decline</button></form></html>`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}

export function payerPageGone(): TwinReply {
  return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Nothing is asked here any more' }
}

export function sendBack({ returnUrl, id }: Asked): TwinReply {
  if (returnUrl === null) return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'Done' }
  const url = new URL(returnUrl)
  url.searchParams.set('id', id)
  return { status: 303, headers: { location: url.href }, body: '' }
}
