import type Stripe from 'stripe'
import type { Instant } from '#kernel/clock'
import type { Page, Reply } from '../../port/disputes.ts'
import type { BalanceEntry, Payout, SettlementReports } from '../../port/settlement.ts'
import { currencyOf, fromStripeAmount } from '../amounts.ts'
import type { FormOf } from '../wire/form.ts'
import type { Members } from '../../port/members.ts'
import { idOf, membersOf, textOf, wholeOf } from '../wire/members.ts'
import type { StripeClient } from '../wire/stripe-client.ts'
import { failedReply, instantOfSeconds, readPage } from './replies.ts'

/** Stripe lists no more on a page. */
const PAGE = 100

const TYPES: ReadonlyMap<string, BalanceEntry['type']> = new Map([
  ['charge', 'payment'],
  ['payment', 'payment'],
  ['payment_failure_refund', 'refund'],
  ['payment_refund', 'refund'],
  ['payment_reversal', 'refund'],
  ['refund', 'refund'],
  ['refund_failure', 'refund'],
  ['application_fee', 'fee'],
  ['stripe_fee', 'fee'],
  ['stripe_fx_fee', 'fee'],
  ['tax_fee', 'fee'],
  ['payout', 'payout'],
  ['payout_cancel', 'payout'],
  ['payout_failure', 'payout'],
])

const PAYOUT_STATES: ReadonlyMap<unknown, Payout['state']> = new Map([
  ['pending', 'pending'],
  ['in_transit', 'pending'],
  ['paid', 'paid'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
])

export function stripeSettlement(client: StripeClient): SettlementReports {
  const list = async (
    query: FormOf<Stripe.BalanceTransactionListParams>,
    readItem: (object: Members) => BalanceEntry | 'skip' | null,
  ): Promise<Reply<Page<BalanceEntry>>> => {
    const answer = await client.get('/v1/balance_transactions', {
      ...query,
      limit: PAGE,
      expand: ['data.source'],
    })
    return answer.kind === 'ok' ? readPage(answer.object, readItem) : failedReply(answer)
  }
  return {
    entries: ({ from, until, cursor }) =>
      list({ created: { gte: secondsOf(from), lt: secondsOf(until) }, starting_after: cursor }, readEntry),
    payouts: async ({ createdAfter, cursor }) => {
      const created = { gte: secondsOf(createdAfter) }
      const query: FormOf<Stripe.PayoutListParams> = { limit: PAGE, created, starting_after: cursor }
      const answer = await client.get('/v1/payouts', query)
      return answer.kind === 'ok' ? readPage(answer.object, readPayout) : failedReply(answer)
    },
    payoutEntries: ({ payoutId, cursor }) =>
      list({ payout: payoutId, starting_after: cursor }, (object) => {
        const isPayoutItself = object.type === 'payout' && idOf(object.source) === payoutId
        return isPayoutItself ? 'skip' : readEntry(object)
      }),
  }
}

function readEntry(object: Members): BalanceEntry | null {
  const id = textOf(object.id)
  const acquirerType = textOf(object.type)
  const currency = currencyOf(object.currency)
  const amount = wholeOf(object.amount)
  const net = wholeOf(object.net)
  const createdAt = instantOfSeconds(object.created)
  if (id === null || acquirerType === null || currency === null || amount === null) return null
  if (net === null || createdAt === null) return null
  const type = typeOf(acquirerType, object)
  const isOfPayment = type === 'payment' || type === 'refund' || type === 'dispute'
  return {
    id,
    type,
    acquirerType,
    reference: isOfPayment ? referenceOf(object.source) : null,
    currency,
    grossMinor: fromStripeAmount(currency, amount),
    feeMinor: fromStripeAmount(currency, wholeOf(object.fee) ?? 0n),
    netMinor: fromStripeAmount(currency, net),
    paid: isOfPayment ? paidOf(membersOf(object.source), currency, amount < 0n) : null,
    createdAt,
    availableAt: instantOfSeconds(object.available_on),
  }
}

function typeOf(acquirerType: string, { source }: Members): BalanceEntry['type'] {
  const isDispute = membersOf(source).object === 'dispute' || /^(dp|du)_/.test(idOf(source) ?? '')
  return isDispute ? 'dispute' : (TYPES.get(acquirerType) ?? 'other')
}

function referenceOf(source: unknown): string | null {
  const object = membersOf(source)
  const intent = object.object === 'charge' ? idOf(object.payment_intent) : null
  return intent ?? idOf(source)
}

function paidOf(source: Members, settled: string, isNegative: boolean): BalanceEntry['paid'] {
  const currency = currencyOf(source.currency)
  const amount = wholeOf(source.amount_captured) ?? wholeOf(source.amount)
  if (currency === null || amount === null || currency === settled) return null
  const amountMinor = fromStripeAmount(currency, amount)
  return { currency, amountMinor: isNegative ? -amountMinor : amountMinor }
}

function readPayout(object: Members): Payout | null {
  const id = textOf(object.id)
  const currency = currencyOf(object.currency)
  const amount = wholeOf(object.amount)
  const state = PAYOUT_STATES.get(object.status)
  const createdAt = instantOfSeconds(object.created)
  if (id === null || currency === null || amount === null || state === undefined) return null
  if (createdAt === null) return null
  const arrivesAt = instantOfSeconds(object.arrival_date) ?? createdAt
  return { id, currency, amountMinor: fromStripeAmount(currency, amount), arrivesAt, createdAt, state }
}

function secondsOf(instant: Instant): number {
  return Math.floor(instant.epochMilliseconds / 1000)
}
