import { Money } from '#kernel/money'
import type { Booking, BookingPeriod, ListBookings } from '../../port/bookings.ts'
import type { Reply } from '../../port/disputes.ts'
import type { Members } from '../../port/members.ts'
import { currencyOf, fromStripeAmount } from '../amounts.ts'
import { membersOf, textOf, wholeOf } from '../wire/members.ts'
import type { StripeClient } from '../wire/stripe-client.ts'
import { failedReply, instantOfSeconds, readPage } from './replies.ts'

/** Stripe lists no more on a page. */
const PAGE = 100
/** Ends a list whose last page never comes. */
const MAX_PAGES = 1_000
const HELD_OR_PAID: ReadonlySet<unknown> = new Set(['succeeded', 'requires_capture', 'processing'])
const REFUNDED: ReadonlySet<unknown> = new Set(['succeeded', 'pending', 'requires_action'])

export function stripeBookings(client: StripeClient): ListBookings {
  return async (period) => {
    const payments = await listAll(client, '/v1/payment_intents', period, 'payment')
    if (payments.kind !== 'ok') return payments
    const refunds = await listAll(client, '/v1/refunds', period, 'refund')
    return refunds.kind === 'ok' ? { kind: 'ok', value: [...payments.value, ...refunds.value] } : refunds
  }
}

async function listAll(
  client: StripeClient,
  path: string,
  { from, until }: BookingPeriod,
  kind: Booking['kind'],
): Promise<Reply<Booking[]>> {
  const bookings: Booking[] = []
  const created = {
    gte: Math.floor(from.epochMilliseconds / 1000),
    lte: Math.ceil(until.epochMilliseconds / 1000),
  }
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await client.get(path, { created, limit: PAGE, starting_after: cursor })
    if (answer.kind !== 'ok') return failedReply(answer)
    const read = readPage(answer.object, (object) => readBooking(object, kind))
    if (read.kind !== 'ok') return read
    bookings.push(...read.value.items)
    cursor = read.value.nextCursor
    if (cursor === null) return { kind: 'ok', value: bookings }
  }
  return {
    kind: 'unavailable',
    message: `Stripe lists more than ${MAX_PAGES * PAGE} payments of the period.`,
  }
}

function readBooking(object: Members, kind: Booking['kind']): Booking | 'skip' | null {
  const key = textOf(membersOf(object.metadata).quittance_key)
  if (key === null) return 'skip'
  const reference = textOf(object.id)
  const currency = currencyOf(object.currency)
  const amount = wholeOf(object.amount)
  const bookedAt = instantOfSeconds(object.created)
  if (reference === null || bookedAt === null) return null
  return {
    kind,
    key,
    reference,
    amount:
      currency === null || amount === null
        ? null
        : Money.ofMinor(currency, fromStripeAmount(currency, amount)),
    movesMoney: (kind === 'payment' ? HELD_OR_PAID : REFUNDED).has(object.status),
    bookedAt,
  }
}
