import { exactMinor, majorOf } from './amounts.ts'
import type { Call } from './call.ts'
import { invalid } from './errors.ts'
import type { Settings } from './settings.ts'
import { randomText, type Settlement, type SettlementRecord, type Tx } from './store.ts'

const MAX_PAGE = 50
/** The price of a payment: 3.3 %, rounded, at least one minor unit. */
const feeOf = (minor: bigint): bigint => (minor * 33n + 500n) / 1_000n

interface Line {
  readonly type: SettlementRecord['transaction_type']
  readonly entity: string
  readonly source: string
  readonly intent: string
  readonly attempt: string
  readonly order: string
  readonly currency: string
  readonly minor: bigint
}

/** Differences: intents that a batch leaves out, and amounts that it shows instead of the true ones. */
export interface Planted {
  readonly omit?: readonly string[]
  readonly alter?: Readonly<Record<string, number>>
}

/** Control: puts everything that no batch has yet into one batch for each currency. */
export function settle(tx: Tx, settings: Settings, { omit = [], alter = {} }: Planted = {}): Settlement[] {
  const lines = [...payments(tx), ...refunds(tx), ...disputes(tx)]
    .filter(({ intent }) => !omit.includes(intent))
    .map((line) => {
      const shown = alter[line.intent]
      return shown === undefined ? line : { ...line, minor: exactMinor(shown, line.currency) }
    })
  const currencies = [...new Set(lines.map(({ currency }) => currency))]
  return currencies.map((currency) => {
    const own = lines.filter((line) => line.currency === currency)
    return batch(tx, settings, currency, own)
  })
}

function batch(tx: Tx, settings: Settings, currency: string, lines: readonly Line[]): Settlement {
  const day = tx.now.slice(0, 10).replaceAll('-', '')
  const prefix = `bat_${day}_${currency}_`
  const earlier = [...tx.store.rows('settlement').keys()].filter((id) => id.startsWith(prefix))
  const id = `${prefix}${earlier.length + 1}`
  let net = 0n
  let fees = 0n
  for (const line of lines) {
    const isOut = line.type !== 'Payment'
    const fee = isOut ? 0n : feeOf(line.minor)
    const gross = isOut ? -line.minor : line.minor
    net += gross - fee
    fees += fee
    const sign = isOut && settings.refund_sign === 'negative' ? -1n : 1n
    const shown = majorOf(line.minor * sign, currency)
    const transaction = `ftx_${randomText(18)}`
    tx.insert('record', {
      id: transaction,
      settlement_batch_id: id,
      transaction_id: transaction,
      payment_intent_id: line.intent,
      source_id: line.source,
      source_entity: line.entity,
      payment_attempt_ids: [line.attempt],
      transaction_type: line.type,
      transaction_amount: shown,
      transaction_currency: currency,
      gross_amount: shown,
      fees: majorOf(-fee, currency),
      taxes_on_fees: 0,
      net_amount: majorOf(line.minor * sign - fee, currency),
      settlement_currency: currency,
      exchange_rate: 1,
      order_id: line.order,
    })
  }
  const settlement: Settlement = {
    id,
    amount: majorOf(net, currency),
    fee: majorOf(-fees, currency),
    currency,
    status: 'SETTLED',
    settled_at: tx.now,
    estimated_settled_at: tx.now,
  }
  return tx.insert('settlement', settlement).object
}

function payments(tx: Tx): Line[] {
  return [...tx.store.rows('intent').values()].flatMap(({ object, hidden }) => {
    const attempt = object.latest_payment_attempt
    if (hidden.settled === true || object.status !== 'SUCCEEDED' || attempt === undefined) return []
    if (object.captured_amount === 0) return []
    tx.edit('intent', object.id).hidden.settled = true
    return [
      {
        type: 'Payment',
        entity: 'Payment Attempt',
        source: attempt.id,
        intent: object.id,
        attempt: attempt.id,
        order: object.merchant_order_id,
        currency: object.currency,
        minor: exactMinor(object.captured_amount, object.currency),
      } satisfies Line,
    ]
  })
}

function refunds(tx: Tx): Line[] {
  return [...tx.store.rows('refund').values()].flatMap(({ object, hidden }) => {
    if (hidden.settled === true || object.status === 'FAILED') return []
    tx.edit('refund', object.id).hidden.settled = true
    return [{ type: 'Refund', entity: 'Refund', ...linked(tx, object) } satisfies Line]
  })
}

function disputes(tx: Tx): Line[] {
  return [...tx.store.rows('dispute').values()].flatMap(({ object, hidden }) => {
    const isInquiry = object.stage === 'RFI' || object.stage === 'PRE_CHARGEBACK'
    if (hidden.settled === true || isInquiry || object.status === 'REVERSED') return []
    tx.edit('dispute', object.id).hidden.settled = true
    return [{ type: 'Dispute', entity: 'Dispute', ...linked(tx, object) } satisfies Line]
  })
}

function linked(
  tx: Tx,
  object: {
    readonly id: string
    readonly payment_intent_id: string
    readonly payment_attempt_id: string
    readonly amount: number
    readonly currency: string
  },
) {
  return {
    source: object.id,
    intent: object.payment_intent_id,
    attempt: object.payment_attempt_id,
    order: tx.get('intent', object.payment_intent_id).object.merchant_order_id,
    currency: object.currency,
    minor: exactMinor(object.amount, object.currency),
  }
}

/** All four members of the query are required. */
export function listSettlements({ tx, query }: Call) {
  const [currency, status, from, to] = ['currency', 'status', 'from_settled_at', 'to_settled_at'].map(
    (name) => {
      const value = query.get(name)
      if (value === null || value === '') throw invalid(name, 'must not be empty')
      return value
    },
  )
  const size = Math.min(Number(query.get('page_size') ?? 10), MAX_PAGE)
  const start = Number(query.get('page_num') ?? 0) * size
  const found = [...tx.store.rows('settlement').values()]
    .map(({ object }) => object)
    .filter((one) => one.currency === currency && one.status === status)
    .filter(
      ({ settled_at: at }) =>
        Date.parse(at) >= Date.parse(from ?? '') && Date.parse(at) < Date.parse(to ?? ''),
    )
  return { has_more: found.length > start + size, items: found.slice(start, start + size) }
}

export function listRecords({ tx, query }: Call) {
  const batchId = query.get('settlement_id')
  const intent = query.get('payment_intent_id')
  if (batchId === null && intent === null) throw invalid('settlement_id', 'must not be empty')
  const size = Number(query.get('page_size') ?? 10)
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE)
    throw invalid('page_size', 'must be from 1 to 50')
  const start = Number(query.get('page') ?? 0)
  const found = [...tx.store.rows('record').values()]
    .map(({ object: { id: _id, ...shown } }) => shown)
    .filter((one) => batchId === null || one.settlement_batch_id === batchId)
    .filter((one) => intent === null || one.payment_intent_id === intent)
  const hasMore = found.length > start + size
  return {
    has_more: hasMore,
    page_after: hasMore ? String(start + size) : null,
    items: found.slice(start, start + size),
  }
}
