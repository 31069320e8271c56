import { type Currency, isCurrency } from '#kernel/currencies'
import { type Instant, realClock } from '#kernel/clock'
import type { Page, Reply } from '../../port/disputes.ts'
import type { Members } from '../../port/members.ts'
import type { BalanceEntry, Payout, SettlementReports } from '../../port/settlement.ts'
import { currencyOf, minorOf } from '../amounts.ts'
import type { AirwallexClient } from '../wire/airwallex-client.ts'
import { instantOf, listOf, membersOf, textOf, timeText } from '../wire/members.ts'
import { openedMethods } from './opened.ts'
import { failedReply, unreadable } from './replies.ts'

/** Airwallex's limit for settlement records. */
const PAGE = 50
const MAX_WORD = 64

const TYPES: ReadonlyMap<string, BalanceEntry['type']> = new Map([
  ['payment', 'payment'],
  ['refund', 'refund'],
  ['dispute', 'dispute'],
  ['dispute reversal', 'dispute'],
  ['chargeback', 'dispute'],
  ['chargeback reversal', 'dispute'],
  ['fee', 'fee'],
  ['fees', 'fee'],
])

/**
 * A batch is a payout. Batches are listed for one currency at a time, so every currency is asked for that was paid, or can be
 * paid, through the account. All lines come with their batch, and none before it is settled.
 */
export function airwallexSettlement(
  client: AirwallexClient,
  ownCurrencies: readonly string[],
): SettlementReports {
  return {
    entries: async () => ({ kind: 'ok', value: { items: [], nextCursor: null } }),
    payouts: async ({ createdAfter, cursor, paidIn }) => {
      if (cursor !== null) return listBatches(client, createdAfter, cursor)
      const currencies = await settledCurrencies(client, [...ownCurrencies, ...(await paidIn())])
      if (currencies.kind !== 'ok') return currencies
      const [first] = currencies.value
      if (first === undefined) return { kind: 'ok', value: { items: [], nextCursor: null } }
      return listBatches(client, createdAfter, cursorOf(currencies.value, 0))
    },
    payoutEntries: async ({ payoutId, cursor }) => {
      const query = {
        settlement_id: payoutId,
        page_size: String(PAGE),
        ...(cursor !== null && { page: cursor }),
      }
      const answer = await client.get('/pa/settlement_records', query)
      if (answer.kind !== 'ok') return failedReply(answer)
      const items = readAll(answer.object.items, (record) => readEntry(record, payoutId))
      if (items === null) return unreadable()
      const nextCursor = answer.object.has_more === true ? textOf(answer.object.page_after) : null
      return { kind: 'ok', value: { items, nextCursor } }
    },
  }
}

async function settledCurrencies(
  client: AirwallexClient,
  paid: readonly string[],
): Promise<Reply<readonly string[]>> {
  const opened = await openedMethods(client)
  if (opened.kind !== 'ok') return opened
  const known = [...paid, ...opened.value.flatMap(({ currencies }) => currencies)].filter(isCurrency)
  return { kind: 'ok', value: [...new Set(known)].toSorted() }
}

/** The currencies that are left to ask for, the present one first, and its page. */
function cursorOf(currencies: readonly string[], page: number): string {
  return `${currencies.join(',')}:${page}`
}

async function listBatches(
  client: AirwallexClient,
  createdAfter: Instant,
  cursor: string,
): Promise<Reply<Page<Payout>>> {
  const [left = '', page = '0'] = cursor.split(':')
  const currencies = left.split(',')
  const [currency = '', ...following] = currencies
  const query = {
    currency,
    status: 'SETTLED',
    from_settled_at: timeText(createdAfter),
    to_settled_at: timeText(realClock.now().add({ hours: 24 })),
    page_num: page,
    page_size: String(PAGE),
  }
  const answer = await client.get('/pa/financial/settlements', query)
  if (answer.kind !== 'ok') return failedReply(answer)
  const items = readAll(answer.object.items, readBatch)
  if (items === null) return unreadable()
  const hasMore = answer.object.has_more === true && items.length > 0
  const next = following.length === 0 ? null : cursorOf(following, 0)
  return { kind: 'ok', value: { items, nextCursor: hasMore ? cursorOf(currencies, Number(page) + 1) : next } }
}

function readBatch(object: Members): Payout | null {
  const id = textOf(object.id)
  const currency = currencyOf(object.currency)
  const settledAt = instantOf(object.settled_at)
  const amountMinor = currency === null ? null : minorOf(currency, object.amount)
  if (id === null || currency === null || settledAt === null || amountMinor === null) return null
  return { id, currency, amountMinor, arrivesAt: settledAt, createdAt: settledAt, state: 'paid' }
}

function readEntry(record: Members, batchId: string): BalanceEntry | null {
  const id = textOf(record.transaction_id)
  const acquirerType = textOf(record.transaction_type)
  const currency = currencyOf(record.settlement_currency)
  if (id === null || acquirerType === null || currency === null) return null
  const createdAt = timeOf(record, batchId)
  if (createdAt === null) return null
  const type = TYPES.get(acquirerType.toLowerCase()) ?? 'other'
  const reference = referenceOf(type, record)
  const line = { id, type, reference, currency, createdAt, availableAt: createdAt }
  const word = acquirerType.slice(0, MAX_WORD)
  const gross = minorOf(currency, record.gross_amount)
  const fees = minorOf(currency, record.fees ?? 0)
  const taxes = minorOf(currency, record.taxes_on_fees ?? 0)
  if (gross === null || fees === null || taxes === null) {
    // With amounts of 0 the line differs from every transaction, so somebody looks at it, and the others are compared.
    const unread = { grossMinor: 0n, feeMinor: 0n, netMinor: 0n, paid: null }
    return { ...line, acquirerType: `${word}, unreadable amount`, ...unread }
  }
  const sign = signOf(type, acquirerType, gross)
  const grossMinor = sign * magnitude(gross)
  const feeMinor = -(fees + taxes)
  const paid = paidOf(record, currency, sign)
  return { ...line, acquirerType: word, grossMinor, feeMinor, netMinor: grossMinor - feeMinor, paid }
}

/** The sign of refunds and disputes is not documented, so the type decides it. */
function signOf(type: BalanceEntry['type'], acquirerType: string, gross: bigint): bigint {
  const isReversal = acquirerType.toLowerCase().endsWith('reversal')
  if (type === 'payment' || (type === 'dispute' && isReversal)) return 1n
  if (type === 'refund' || type === 'dispute') return -1n
  return gross < 0n ? -1n : 1n
}

function magnitude(minor: bigint): bigint {
  return minor < 0n ? -minor : minor
}

function referenceOf(type: BalanceEntry['type'], record: Members): string | null {
  if (type === 'payment') return textOf(record.payment_intent_id)
  return type === 'refund' || type === 'dispute' ? textOf(record.source_id) : null
}

function paidOf(record: Members, settled: Currency, sign: bigint): BalanceEntry['paid'] {
  const currency = currencyOf(record.transaction_currency)
  if (currency === null || currency === settled) return null
  const minor = minorOf(currency, record.transaction_amount)
  return minor === null ? null : { currency, amountMinor: sign * magnitude(minor) }
}

/** Without a time of its own a line counts as booked at the end of its batch's day, `bat_YYYYMMDD_CUR_n`. */
function timeOf(record: Members, batchId: string): Instant | null {
  const own = instantOf(record.settled_at) ?? instantOf(record.created_at)
  if (own !== null) return own
  const [, year, month, day] = /^bat_(\d{4})(\d\d)(\d\d)_/.exec(batchId) ?? []
  return instantOf(`${year}-${month}-${day}T23:59:59Z`)
}

function readAll<Item>(value: unknown, read: (object: Members) => Item | null): Item[] | null {
  if (!Array.isArray(value)) return null
  const items = listOf(value).map((one) => read(membersOf(one)))
  return items.some((one) => one === null) ? null : items.filter((one) => one !== null)
}
