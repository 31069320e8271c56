import type pg from 'pg'
import type { BalanceEntry, Payout } from '#modules/acquirers'
import { nameAtAcquirer } from '../../payments/testing/real-account.ts'

export const ACCOUNT = 'acc_planted'
const CURRENCY = 'HKD'
const FEE_MINOR = 250n
const INSERT_BATCH = 5_000
const PAID_SHARE = 0.8
const PAYOUTS = 4

type Kind = 'matched' | 'different_amount' | 'missing_here' | 'missing_there' | 'fee'

interface Options {
  readonly lines: number
  readonly every: number
  readonly from: Temporal.Instant
  readonly stepMs: number
}

/**
 * Books of an acquirer with planted differences. Each line is calculated from its number, so that books of any size take no
 * memory.
 * - `idsOf`: Ids of the lines of this kind. A `missing_there` difference has no line, so its id is our transaction's.
 * - `insertTransactions`: Writes our side of the books, as payments would have.
 */
export class PlantedBooks {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  get lines(): number {
    return this.#options.lines
  }

  kindOf(line: number): Kind {
    switch (line % this.#options.every) {
      case 7:
        return 'different_amount'
      case 11:
        return 'missing_here'
      case 13:
        return 'missing_there'
      case 17:
        return 'fee'
      default:
        return 'matched'
    }
  }

  idsOf(kind: Kind): string[] {
    const numbers = Array.from({ length: this.lines }, (_, line) => line).filter(
      (line) => this.kindOf(line) === kind,
    )
    return numbers.map((line) => (kind === 'missing_there' ? transactionId(line) : lineId(line))).toSorted()
  }

  line(number: number): BalanceEntry | null {
    const kind = this.kindOf(number)
    if (kind === 'missing_there') return null
    const gross = kind === 'fee' ? -FEE_MINOR : amountOf(number) + (kind === 'different_amount' ? 1n : 0n)
    const fee = kind === 'fee' ? 0n : FEE_MINOR
    return {
      id: lineId(number),
      type: kind === 'fee' ? 'fee' : isRefund(number) ? 'refund' : 'payment',
      acquirerType: kind === 'fee' ? 'stripe_fee' : isRefund(number) ? 'refund' : 'charge',
      reference: kind === 'fee' ? null : `ch_${number}`,
      currency: CURRENCY,
      grossMinor: gross,
      feeMinor: fee,
      netMinor: gross - fee,
      paid: null,
      createdAt: this.#timeOf(number),
      availableAt: this.#timeOf(number).add({ hours: 48 }),
    }
  }

  page(query: { after: number | null; first: number; last: number; limit: number }) {
    const items: BalanceEntry[] = []
    let number = query.after === null ? query.last : query.after - 1
    for (; number >= query.first && items.length < query.limit; number--) {
      const line = this.line(number)
      if (line !== null) items.push(line)
    }
    return { items, nextCursor: number < query.first ? null : String(number + 1) }
  }

  payouts(): Payout[] {
    return Array.from({ length: PAYOUTS }, (_, index) => {
      const { first, last } = this.linesOf(`po_${index}`)
      let amountMinor = 0n
      for (let number = first; number <= last; number++) amountMinor += this.line(number)?.netMinor ?? 0n
      const createdAt = this.#timeOf(last).add({ seconds: 1 })
      return {
        id: `po_${index}`,
        currency: CURRENCY,
        amountMinor,
        createdAt,
        arrivesAt: createdAt.add({ hours: 48 }),
        state: 'paid',
      } as const
    })
  }

  linesOf(payoutId: string): { first: number; last: number } {
    const size = Math.floor((this.lines * PAID_SHARE) / PAYOUTS)
    const index = Number(payoutId.slice('po_'.length))
    return { first: index * size, last: (index + 1) * size - 1 }
  }

  numbersBetween(from: Temporal.Instant, until: Temporal.Instant): { first: number; last: number } {
    const numberAt = (at: Temporal.Instant) =>
      Math.ceil((at.epochMilliseconds - this.#options.from.epochMilliseconds) / this.#options.stepMs)
    return { first: Math.max(0, numberAt(from)), last: Math.min(this.lines, numberAt(until)) - 1 }
  }

  async insertTransactions(database: pg.Client, businessId: string): Promise<void> {
    for (let start = 0; start < this.lines; start += INSERT_BATCH) {
      const numbers = Array.from({ length: Math.min(INSERT_BATCH, this.lines - start) }, (_, i) => start + i)
      const ours = numbers.filter((number) => !['missing_here', 'fee'].includes(this.kindOf(number)))
      await database.query(INSERT_ORDERS, [businessId, ours, ours.map((n) => this.#timeOf(n).toString())])
      await database.query(INSERT_TRANSACTIONS, [
        businessId,
        ACCOUNT,
        ours,
        ours.map((number) => amountOf(number).toString()),
        ours.map((number) => this.#timeOf(number).toString()),
      ])
      await nameAtAcquirer(database, businessId, ours.map(transactionId))
    }
    for (const table of ['orders', 'transactions', 'acquirer_transactions'])
      await database.query(`analyze ${table}`)
  }

  #timeOf(number: number): Temporal.Instant {
    return this.#options.from.add({ milliseconds: number * this.#options.stepMs })
  }
}

function isRefund(number: number): boolean {
  return number % 20 === 19
}

function amountOf(number: number): bigint {
  const amount = 10_000n + BigInt(number % 997)
  return isRefund(number) ? -amount : amount
}

function lineId(number: number): string {
  return `txn_line_${String(number).padStart(7, '0')}`
}

function transactionId(number: number): string {
  return `txn_ours_${String(number).padStart(7, '0')}`
}

const INSERT_ORDERS = `
  insert into orders (business_id, id, source, type, reference_number, currency, initial_total_minor, initial_tips_minor, state,
                      created_at, updated_at)
  select $1, 'ord_' || n, 'api', 'one_off', 'planted-' || n, '${CURRENCY}', 100000, 0, 'completed', at::timestamptz,
         at::timestamptz
    from unnest($2::int[], $3::text[]) as given (n, at)`

const INSERT_TRANSACTIONS = `
  insert into transactions (business_id, id, order_id, type, state, currency, amount_minor, original_id, payment_method,
                            instrument, acquirer_name, merchant_id, acquirer_account_id, answer, receipt_number,
                            succeeded_at, created_at, updated_at)
  select $1, 'txn_ours_' || lpad(n::text, 7, '0'), 'ord_' || n, case when amount < 0 then 'Refund' else 'Sales' end,
         'succeeded', '${CURRENCY}', amount, case when amount < 0 then 'txn_original' end, 'payment_token', '{}', 'stripe',
         'acct_1', $2, json_build_object('gatewayTransactionId', 'pi_' || n, 'rrn', 'ch_' || n), n, at::timestamptz,
         at::timestamptz, at::timestamptz
    from unnest($3::int[], $4::numeric[], $5::text[]) as given (n, amount, at)`
