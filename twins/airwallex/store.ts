import { randomBytes } from 'node:crypto'
import type { Movement } from '../common/books.ts'
import { notFound } from './errors.ts'
import { decimalOf } from './amounts.ts'
import type { StoredCard } from './test-cards.ts'

export interface NextAction {
  readonly type: 'redirect' | 'redirect_form' | 'redirect_iframe' | 'render_qrcode'
  readonly method?: 'GET' | 'POST'
  readonly url?: string
  readonly data?: Readonly<Record<string, string>>
  readonly qrcode?: string
  readonly stage?: string
}

export type AttemptStatus =
  | 'RECEIVED'
  | 'AUTHENTICATION_REDIRECTED'
  | 'PENDING_AUTHORIZATION'
  | 'AUTHORIZED'
  | 'CAPTURE_REQUESTED'
  | 'SETTLED'
  | 'CANCELLED'
  | 'EXPIRED'
  | 'FAILED'
  | 'CAPTURE_FAILED'

export interface Attempt {
  id: string
  amount: number
  currency: string
  status: AttemptStatus
  captured_amount: number
  refunded_amount: number
  payment_intent_id: string
  payment_method: Readonly<Record<string, unknown>>
  provider_original_response_code?: string
  authorization_code?: string
  failure_code?: string
  merchant_advice_code?: string
  created_at: string
  updated_at: string
}

type IntentStatus =
  | 'REQUIRES_PAYMENT_METHOD'
  | 'REQUIRES_CUSTOMER_ACTION'
  | 'REQUIRES_CAPTURE'
  | 'PENDING'
  | 'SUCCEEDED'
  | 'CANCELLED'

export interface Intent {
  id: string
  request_id: string
  amount: number
  currency: string
  merchant_order_id: string
  status: IntentStatus
  captured_amount: number
  client_secret: string
  created_at: string
  updated_at: string
  metadata?: Readonly<Record<string, string>>
  customer_id?: string
  payment_consent_id?: string
  descriptor?: string
  return_url?: string
  cancelled_at?: string
  next_action?: NextAction
  latest_payment_attempt?: Attempt
}

export interface Customer {
  id: string
  request_id: string
  merchant_customer_id: string
  email?: string
  first_name?: string
  created_at: string
  updated_at: string
}

export interface Consent {
  id: string
  request_id: string
  customer_id: string
  next_triggered_by: 'merchant' | 'customer'
  merchant_trigger_reason?: string
  status: 'REQUIRES_PAYMENT_METHOD' | 'REQUIRES_CUSTOMER_ACTION' | 'VERIFIED' | 'PAUSED' | 'DISABLED'
  metadata?: Readonly<Record<string, string>>
  payment_method?: Readonly<Record<string, unknown>>
  next_action?: NextAction
  failure_reason?: { readonly code: string; readonly message: string }
  disable_reason?: string
  created_at: string
  updated_at: string
}

export interface Refund {
  id: string
  request_id: string
  payment_intent_id: string
  payment_attempt_id: string
  amount: number
  currency: string
  reason?: string
  metadata?: Readonly<Record<string, string>>
  status: 'RECEIVED' | 'ACCEPTED' | 'SETTLED' | 'FAILED'
  failure_details?: { readonly code: string; readonly message: string }
  created_at: string
  updated_at: string
}

export interface Dispute {
  id: string
  payment_intent_id: string
  payment_attempt_id: string
  amount: number
  currency: string
  stage: 'RFI' | 'PRE_CHARGEBACK' | 'CHARGEBACK' | 'PRE_ARBITRATION' | 'ARBITRATION'
  status:
    | 'REQUIRES_RESPONSE'
    | 'CHALLENGED'
    | 'ACCEPTED'
    | 'EXPIRED'
    | 'PENDING_CLOSURE'
    | 'PENDING_DECISION'
    | 'WON'
    | 'LOST'
    | 'REVERSED'
  reason: { readonly type: string; readonly original_code: string; readonly description: string }
  due_at: string
  card_brand?: string
  created_at: string
  updated_at: string
}

export interface UploadedFile {
  id: string
  filename: string
  size: number
  created: number
}

/** `id` is the name. */
interface Domain {
  id: string
}

export interface Settlement {
  id: string
  amount: number
  fee: number
  currency: string
  status: 'SETTLED'
  settled_at: string
  estimated_settled_at: string
}

export interface SettlementRecord {
  id: string
  settlement_batch_id: string
  transaction_id: string
  payment_intent_id: string
  source_id: string
  source_entity: string
  payment_attempt_ids: readonly string[]
  transaction_type: 'Payment' | 'Refund' | 'Dispute' | 'Fees'
  transaction_amount: number
  transaction_currency: string
  gross_amount: number
  fees: number
  taxes_on_fees: number
  net_amount: number
  settlement_currency: string
  exchange_rate: number
  order_id: string
}

export interface Notice {
  id: string
  name: string
  object: unknown
  created_at: string
  delivered: boolean
}

export interface Tables {
  intent: Intent
  customer: Customer
  consent: Consent
  refund: Refund
  dispute: Dispute
  file: UploadedFile
  domain: Domain
  settlement: Settlement
  record: SettlementRecord
  notice: Notice
}
export type TableName = keyof Tables

/** What no answer shows. `dueAt` is in seconds since 1970: when the twin does something by itself. */
export interface Hidden {
  card?: StoredCard
  wallet?: string
  autoCapture?: boolean
  returnUrl?: string
  consent?: { readonly nextTriggeredBy: 'merchant' | 'customer'; readonly reason: string | null }
  dueAt?: number
  fails?: boolean
  settled?: boolean
}

export interface Row<Item> {
  object: Item
  hidden: Hidden
}

/** The answer that was given under a request id. */
export interface Answered {
  readonly status: number
  readonly body: string
}

type Put = readonly [table: TableName, row: Row<Tables[TableName]>]

export interface Change {
  readonly account?: string
  readonly puts?: readonly Put[]
  readonly answered?: readonly [key: string, answer: Answered]
  readonly prunesKeys?: true
  readonly settings?: object
}

const PREFIXES: Readonly<Record<TableName, string>> = {
  intent: 'int_hkdm',
  customer: 'cus_hkdm',
  consent: 'cst_hkdm',
  refund: 'rfd_hkdm',
  dispute: 'dis_hkdm',
  file: '',
  domain: '',
  settlement: 'bat_',
  record: 'ftx_',
  notice: 'evt_hkdm',
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

export function randomText(length: number): string {
  let text = ''
  for (const byte of randomBytes(length)) text += LETTERS[byte % LETTERS.length]
  return text
}

export function newId(table: TableName): string {
  return `${PREFIXES[table]}${randomText(15)}`
}

export class AccountStore {
  readonly id: string
  readonly answered = new Map<string, Answered>()
  readonly due = new Map<string, TableName>()
  readonly byOrder = new Map<string, string[]>()
  readonly byIntent = new Map<string, string[]>()
  readonly byCustomerId = new Map<string, string>()
  readonly undelivered = new Set<string>()
  readonly #tables = new Map<TableName, Map<string, Row<Tables[TableName]>>>()

  constructor(id: string) {
    this.id = id
  }

  rows<Name extends TableName>(name: Name): Map<string, Row<Tables[Name]>> {
    let rows = this.#tables.get(name)
    if (rows === undefined) this.#tables.set(name, (rows = new Map()))
    return rows as Map<string, Row<Tables[Name]>>
  }

  put(name: TableName, row: Row<Tables[TableName]>): void {
    const { object, hidden } = row
    const rows: Map<string, Row<Tables[TableName]>> = this.rows(name)
    if (!rows.has(object.id)) this.#index(name, object)
    rows.set(object.id, row)
    if (hidden.dueAt === undefined) this.due.delete(object.id)
    else this.due.set(object.id, name)
    if (name !== 'notice') return
    if ((object as Notice).delivered) this.undelivered.delete(object.id)
    else this.undelivered.add(object.id)
  }

  #index(name: TableName, object: Tables[TableName]): void {
    if (name === 'intent') add(this.byOrder, (object as Intent).merchant_order_id, object.id)
    if (name === 'refund') add(this.byIntent, (object as Refund).payment_intent_id, object.id)
    if (name === 'customer') this.byCustomerId.set((object as Customer).merchant_customer_id, object.id)
  }
}

function add(index: Map<string, string[]>, key: string, id: string): void {
  const ids = index.get(key)
  if (ids === undefined) index.set(key, [id])
  else ids.push(id)
}

/** The changes of one request, which others see all at once after `commit`. */
export class Tx {
  readonly store: AccountStore
  readonly nowSeconds: number
  readonly movements: Movement[] = []
  readonly #drafts = new Map<string, Put>()
  readonly #wantsNotices: boolean

  constructor(store: AccountStore, nowSeconds: number, wantsNotices: boolean) {
    this.store = store
    this.nowSeconds = nowSeconds
    this.#wantsNotices = wantsNotices
  }

  get now(): string {
    return timeText(this.nowSeconds)
  }

  find<Name extends TableName>(name: Name, id: string): Row<Tables[Name]> | undefined {
    return (this.#drafts.get(id)?.[1] as Row<Tables[Name]> | undefined) ?? this.store.rows(name).get(id)
  }

  /** Throws `resource_not_found`: 404 for an id in the path, 400 for one in the body. */
  get<Name extends TableName>(name: Name, id: string, status: 400 | 404 = 404): Row<Tables[Name]> {
    const row = this.find(name, id)
    if (row === undefined) throw notFound(status, id)
    return row
  }

  /** A draft that may be changed in place. */
  edit<Name extends TableName>(name: Name, id: string, status?: 400 | 404): Row<Tables[Name]> {
    const draft = this.#drafts.get(id)
    if (draft !== undefined) return draft[1] as Row<Tables[Name]>
    const row = structuredClone(this.get(name, id, status))
    this.#drafts.set(id, [name, row])
    return row
  }

  insert<Name extends TableName>(name: Name, object: Tables[Name], hidden: Hidden = {}): Row<Tables[Name]> {
    const row: Row<Tables[Name]> = { object, hidden }
    this.#drafts.set(object.id, [name, row])
    return row
  }

  move(movement: {
    readonly key: string
    readonly operation: Movement['operation']
    readonly minor: bigint
    readonly currency: string
    readonly outcome: Movement['outcome']
    readonly reference: string
  }): void {
    const { minor, ...rest } = movement
    this.movements.push({
      ...rest,
      amount: decimalOf(minor, movement.currency),
      account: this.store.id,
      booked_at: new Date(this.nowSeconds * 1000).toISOString(),
    })
  }

  notify(name: string, object: unknown): void {
    if (!this.#wantsNotices) return
    const copy: unknown = structuredClone(object)
    this.insert('notice', { id: newId('notice'), name, object: copy, created_at: this.now, delivered: false })
  }

  get puts(): Put[] {
    return [...this.#drafts.values()]
  }

  commit(): void {
    for (const [name, row] of this.#drafts.values()) this.store.put(name, row)
  }
}

/** As Airwallex writes times: `2026-11-29T05:33:28+0000`. */
export function timeText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}+0000`
}
