import { Money } from '#kernel/money'
import type { Booking, BookingPeriod, ListBookings } from '../../port/bookings.ts'
import type { Reply } from '../../port/disputes.ts'
import type { Members } from '../../port/members.ts'
import { currencyOf, minorOf } from '../amounts.ts'
import type { AirwallexClient } from '../wire/airwallex-client.ts'
import { instantOf, listOf, membersOf, textOf, timeText } from '../wire/members.ts'
import { failedReply, unreadable } from './replies.ts'

const PAGE = 200
/** Ends a list whose last page never comes. */
const MAX_PAGES = 1_000
const HELD_OR_PAID: ReadonlySet<unknown> = new Set([
  'SUCCEEDED',
  'REQUIRES_CAPTURE',
  'PENDING',
  'PENDING_REVIEW',
])
const NOT_REFUNDED: ReadonlySet<unknown> = new Set(['FAILED'])

export function airwallexBookings(client: AirwallexClient): ListBookings {
  return async (period) => {
    const payments = await listAll(client, '/pa/payment_intents', period, 'payment')
    if (payments.kind !== 'ok') return payments
    const refunds = await listAll(client, '/pa/refunds', period, 'refund')
    return refunds.kind === 'ok' ? { kind: 'ok', value: [...payments.value, ...refunds.value] } : refunds
  }
}

async function listAll(
  client: AirwallexClient,
  path: string,
  { from, until }: BookingPeriod,
  kind: Booking['kind'],
): Promise<Reply<Booking[]>> {
  const bookings: Booking[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await client.get(path, {
      from_created_at: timeText(from),
      to_created_at: timeText(until.add({ seconds: 1 })),
      page_num: String(page),
      page_size: String(PAGE),
    })
    if (answer.kind !== 'ok') return failedReply(answer)
    if (!Array.isArray(answer.object.items)) return unreadable()
    for (const one of listOf(answer.object.items).map(membersOf)) {
      const booking = readBooking(one, kind)
      if (booking === null) return unreadable()
      if (booking !== 'skip') bookings.push(booking)
    }
    if (answer.object.has_more !== true) return { kind: 'ok', value: bookings }
  }
  return {
    kind: 'unavailable',
    message: `Airwallex lists more than ${MAX_PAGES * PAGE} payments of the period.`,
  }
}

function readBooking(object: Members, kind: Booking['kind']): Booking | 'skip' | null {
  const key = textOf(membersOf(object.metadata).quittance_key)
  if (key === null) return 'skip'
  const reference = textOf(object.id)
  const bookedAt = instantOf(object.created_at)
  if (reference === null || bookedAt === null) return null
  const currency = currencyOf(object.currency)
  const minor = currency === null ? null : minorOf(currency, object.amount)
  return {
    kind,
    key,
    reference,
    amount: currency === null || minor === null ? null : Money.ofMinor(currency, minor),
    movesMoney: kind === 'payment' ? HELD_OR_PAID.has(object.status) : !NOT_REFUNDED.has(object.status),
    bookedAt,
  }
}
