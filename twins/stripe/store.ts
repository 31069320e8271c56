import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { Movement } from '../common/books.ts'
import { missing } from './errors.ts'

/** Objects have the official SDK's types, so that the compiler reports a missing member. */
export interface Tables {
  customer: Stripe.Customer
  payment_method: Stripe.PaymentMethod
  payment_intent: Stripe.PaymentIntent
  setup_intent: Stripe.SetupIntent
  charge: Stripe.Charge
  refund: Stripe.Refund
  dispute: Stripe.Dispute
  file: Stripe.File
  balance_transaction: Stripe.BalanceTransaction
  payout: Stripe.Payout
  event: Stripe.Event
}
export type TableName = keyof Tables

/** Internal data of an object, which no response shows. */
export interface Hidden {
  /** Name of the test card behind a payment method. */
  card?: string
  /** A payment method that was used without a customer, or detached, cannot be used again. */
  isConsumed?: boolean
  /** The card was authenticated for payments without the payer. */
  isSetUp?: boolean
  /** The idempotency key of the request that made the object. */
  key?: string
  returnUrl?: string
  offSession?: boolean
  /** When the twin settles something that is pending, in its own time. */
  dueAt?: number
  payout?: string
  content?: string
  isReleased?: boolean
}

export interface Row<T> {
  object: T
  hidden: Hidden
}

/** The saved outcome of a request with an idempotency key. */
export interface KeyRecord {
  readonly path: string
  readonly params: string
  readonly status: number
  readonly body: string
  readonly requestId: string
  readonly savedAt: number
}

type Put = readonly [table: TableName, row: Row<Tables[TableName]>]

export interface Change {
  readonly account?: string
  readonly puts?: readonly Put[]
  readonly key?: readonly [key: string, record: KeyRecord]
  readonly prunedBefore?: number
}

interface Table<T> {
  readonly rows: Map<string, Row<T>>
  /** In order of creation. */
  readonly ids: string[]
  readonly positions: Map<string, number>
}

const TABLES: readonly TableName[] = [
  'customer', 'payment_method', 'payment_intent', 'setup_intent', 'charge', 'refund', 'dispute', 'file',
  'balance_transaction', 'payout', 'event',
] // prettier-ignore

const PREFIXES: Readonly<Record<TableName, string>> = {
  customer: 'cus_',
  payment_method: 'pm_',
  payment_intent: 'pi_',
  setup_intent: 'seti_',
  charge: 'ch_',
  refund: 're_',
  dispute: 'du_',
  file: 'file_',
  balance_transaction: 'txn_',
  payout: 'po_',
  event: 'evt_',
}

/** Members with an index, because lists filter by them. */
const INDEXES: Partial<Record<TableName, readonly string[]>> = {
  refund: ['payment_intent', 'charge'],
  charge: ['payment_intent'],
  dispute: ['payment_intent', 'charge'],
  balance_transaction: ['source', '$payout'],
  payment_method: ['customer'],
}

/** Everything of one account in one mode (test or live). */
export class AccountStore {
  readonly id: string
  readonly keys = new Map<string, KeyRecord>()
  readonly due = new Map<string, TableName>()
  readonly #tables = new Map<TableName, Table<unknown>>(
    TABLES.map((name) => [name, { rows: new Map(), ids: [], positions: new Map() }]),
  )
  readonly #index = new Map<string, Set<string>>()

  constructor(id: string) {
    this.id = id
  }

  table<N extends TableName>(name: N): Table<Tables[N]> {
    return this.#tables.get(name) as Table<Tables[N]>
  }

  row<N extends TableName>(name: N, id: string): Row<Tables[N]> | undefined {
    return this.table(name).rows.get(id)
  }

  /** Ids in order of creation. */
  indexed(name: TableName, member: string, value: string): string[] {
    const positions = this.table(name).positions
    const ids = this.#index.get(`${name}.${member}=${value}`) ?? []
    return [...ids].toSorted((a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0))
  }

  put(name: TableName, row: Row<Tables[TableName]>): void {
    const table: Table<Tables[TableName]> = this.table(name)
    const { id } = row.object
    const old = table.rows.get(id)
    if (old === undefined) {
      table.positions.set(id, table.ids.length)
      table.ids.push(id)
    }
    table.rows.set(id, row)
    for (const member of INDEXES[name] ?? []) this.#reindex(name, member, id, old, row)
    if (row.hidden.dueAt === undefined) this.due.delete(id)
    else this.due.set(id, name)
  }

  #reindex(
    name: TableName,
    member: string,
    id: string,
    old: Row<Tables[TableName]> | undefined,
    row: Row<Tables[TableName]>,
  ): void {
    const before = old && indexValue(old, member)
    const after = indexValue(row, member)
    if (before === after) return
    if (before !== undefined) this.#index.get(`${name}.${member}=${before}`)?.delete(id)
    if (after === undefined) return
    const at = `${name}.${member}=${after}`
    const ids = this.#index.get(at)
    if (ids) ids.add(id)
    else this.#index.set(at, new Set([id]))
  }
}

function indexValue(row: Row<Tables[TableName]>, member: string): string | undefined {
  const value =
    member === '$payout' ? row.hidden.payout : (row.object as unknown as Record<string, unknown>)[member]
  return typeof value === 'string' ? value : undefined
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function randomText(length: number): string {
  let text = ''
  for (const byte of randomBytes(length)) text += LETTERS[byte % LETTERS.length]
  return text
}

export function newStripeId(name: TableName): string {
  return `${PREFIXES[name]}${name === 'customer' ? '' : '3'}${randomText(name === 'customer' ? 14 : 23)}`
}

/** The table of an id, by its prefix. */
export function tableOfId(id: string): TableName | undefined {
  return TABLES.find((name) => id.startsWith(PREFIXES[name]))
}

const KINDS: Partial<Record<TableName, string>> = {
  payment_method: 'PaymentMethod',
  balance_transaction: 'balance transaction',
  file: 'file upload',
  setup_intent: 'setupintent',
}

/** The changes of one request, which others see all at once after `commit`. */
export class Tx {
  readonly store: AccountStore
  /** Seconds since 1970, by the twin's clock. */
  readonly now: number
  readonly livemode: boolean
  readonly key: string | null
  readonly requestId: string
  readonly movements: Movement[] = []
  readonly #drafts = new Map<string, Put>()

  constructor(
    store: AccountStore,
    request: { now: number; livemode: boolean; key: string | null; requestId: string },
  ) {
    this.store = store
    this.now = request.now
    this.livemode = request.livemode
    this.key = request.key
    this.requestId = request.requestId
  }

  find<N extends TableName>(name: N, id: string): Row<Tables[N]> | undefined {
    return (this.#drafts.get(id)?.[1] as Row<Tables[N]> | undefined) ?? this.store.row(name, id)
  }

  /** Throws `resource_missing`, with `param` as the parameter that named the object. */
  get<N extends TableName>(name: N, id: string, param = 'id'): Row<Tables[N]> {
    const row = this.find(name, id)
    if (row) return row
    throw missing(KINDS[name] ?? name, id, param)
  }

  /** A draft that may be changed in place. */
  edit<N extends TableName>(name: N, id: string, param?: string): Row<Tables[N]> {
    const draft = this.#drafts.get(id)
    if (draft) return draft[1] as Row<Tables[N]>
    const row = structuredClone(this.get(name, id, param))
    this.#drafts.set(id, [name, row])
    return row
  }

  insert<N extends TableName>(name: N, object: Tables[N], hidden: Hidden = {}): Row<Tables[N]> {
    const row: Row<Tables[N]> = { object, hidden }
    this.#drafts.set(object.id, [name, row])
    return row
  }

  move(movement: Omit<Movement, 'account' | 'booked_at'>): void {
    const booked_at = new Date(this.now * 1000).toISOString()
    this.movements.push({ ...movement, account: this.store.id, booked_at })
  }

  get puts(): Put[] {
    return [...this.#drafts.values()]
  }

  commit(): void {
    for (const [name, row] of this.#drafts.values()) this.store.put(name, row)
  }
}

export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (reference === null || reference === undefined) return null
  return typeof reference === 'string' ? reference : reference.id
}
