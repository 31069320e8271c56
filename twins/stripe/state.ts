import type { Books } from '../common/books.ts'
import type { TwinContext } from '../common/server.ts'
import { signedNotice } from './objects/events.ts'
import { settleIntent } from './objects/payment-attempts.ts'
import { settleRefund } from './objects/refunds.ts'
import { AccountStore, type Change, randomText, Tx } from './store.ts'

export interface State {
  readonly context: TwinContext
  readonly books: Books<Change>
  /** By account and mode: `acct_…:test`. */
  readonly accounts: Map<string, AccountStore>
  /** Keys whose first request has no response yet. */
  readonly running: Set<string>
}

export function apply(accounts: Map<string, AccountStore>, change: Change): void {
  if (change.prunedBefore !== undefined) {
    for (const store of accounts.values()) forgetKeys(store, change.prunedBefore)
    return
  }
  const store = storeOf(accounts, change.account ?? '')
  for (const [name, row] of change.puts ?? []) store.put(name, row)
  if (change.key) store.keys.set(...change.key)
}

export function storeOf(accounts: Map<string, AccountStore>, name: string): AccountStore {
  const existing = accounts.get(name)
  if (existing) return existing
  const store = new AccountStore(name.split(':')[0] ?? name)
  accounts.set(name, store)
  return store
}

function forgetKeys(store: AccountStore, savedBefore: number): void {
  for (const [key, { savedAt }] of store.keys) if (savedAt < savedBefore) store.keys.delete(key)
}

export async function pruneKeys({ accounts, books }: State, before: number): Promise<void> {
  const prunedBefore = Math.min(before, Number.MAX_SAFE_INTEGER)
  for (const store of accounts.values()) forgetKeys(store, prunedBefore)
  await books.record({ prunedBefore })
}

/** Changes without a client's request: due settlements, control routes, answered challenges. */
export async function changeAccount<T>(state: State, name: string, change: (tx: Tx) => T): Promise<T> {
  const { accounts, books, context } = state
  const tx = new Tx(storeOf(accounts, name), {
    now: context.clock.seconds(),
    livemode: name.endsWith(':live'),
    key: null,
    requestId: `req_${randomText(14)}`,
  })
  const result = change(tx)
  tx.commit()
  if (tx.puts.length > 0) await books.record({ account: name, puts: tx.puts }, tx.movements)
  sendEvents(state, name, tx)
  return result
}

export async function settleDue(state: State): Promise<void> {
  const now = state.context.clock.seconds()
  for (const [name, store] of state.accounts) {
    const due = [...store.due].filter(
      ([id, table]) => (store.row(table, id)?.hidden.dueAt ?? Infinity) <= now,
    )
    for (const [id, table] of due) {
      // Another run may have settled the object while this one waited for the disk.
      if (!store.due.has(id)) continue
      await changeAccount(state, name, (tx) =>
        table === 'refund' ? settleRefund(tx, id) : settleIntent(tx, id),
      )
    }
  }
}

export function sendEvents(state: State, name: string, tx: Tx): void {
  for (const [table, { object }] of tx.puts) if (table === 'event') sendEvent(state, name, object.id)
}

function sendEvent({ context, accounts, books }: State, name: string, id: string): void {
  const store = storeOf(accounts, name)
  const row = store.row('event', id)
  if (row === undefined || !context.notices.wants(store.id)) return
  const { object: event } = row
  context.notices.send(
    store.id,
    (secret) => signedNotice(event, secret, Math.floor(Date.now() / 1000)),
    () => {
      row.object = { ...event, pending_webhooks: 0 }
      books.record({ account: name, puts: [['event', row]] }).catch(() => {})
    },
  )
}

/** After a kill, undelivered notices are sent again, as Stripe would. */
export function resendEvents(state: State): void {
  for (const [name, store] of state.accounts) {
    for (const [id, { object }] of store.table('event').rows) {
      if (object.pending_webhooks > 0) sendEvent(state, name, id)
    }
  }
}
