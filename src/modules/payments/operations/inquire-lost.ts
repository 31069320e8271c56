import { moneyInSentence } from '#platform/documents/money-text'
import { type Instant, isAfter, isBefore, realClock } from '#kernel/clock'
import { isDerivedId, msOfId } from '#kernel/ids'
import type { Acquirer, AcquirerReply, Booking, Inquiry } from '#modules/acquirers'
import type { PaymentsContext } from '../context.ts'
import type { LeasedOperation, Operation } from '../model/operation.ts'
import { lookupOf } from './lookup.ts'
import { storeReferences } from '../storage/operation.repository.ts'
import type { LostPeriod } from '../dependencies.ts'

/**
 * - `none`: The acquirer booked nothing under the key. The charge continues as if there had been no recovery.
 * - `resend`: Only the same request under the same key returns the acquirer's first reply for certain.
 */
export type LostOutcome =
  | { readonly kind: 'none' | 'resend' }
  | { readonly kind: 'result'; readonly result: Exclude<Inquiry, { kind: 'absent' }> }

const NONE: LostOutcome = { kind: 'none' }
const MARGIN = { minutes: 5 }

/**
 * Finds out what the acquirer booked under the key of a charge in a period that the database lost. Called before such a charge
 * is sent or abandoned, so that nothing is charged twice (docs/decisions/0068-renewals-have-derived-ids).
 */
export async function inquireLost(
  ctx: PaymentsContext,
  businessId: string,
  acquirer: Acquirer,
  leased: LeasedOperation,
): Promise<LostOutcome> {
  const { operation } = leased
  const periods = await periodsOf(ctx, businessId, operation)
  if (periods.length === 0) return NONE
  if (!acquirer.capabilities.commitsReferences) {
    const inquiry = await acquirer.inquire(lookupOf(ctx, businessId, leased))
    return inquiry.kind === 'absent' ? NONE : { kind: 'result', result: inquiry }
  }
  for (const period of periods) {
    const outcome = await inquirePeriod(ctx, businessId, acquirer, leased, period)
    if (outcome.kind !== 'none') return outcome
  }
  return NONE
}

async function periodsOf(
  ctx: PaymentsContext,
  businessId: string,
  { key, kind, reference, sentAt }: Operation,
): Promise<LostPeriod[]> {
  const periods = ctx.recoveries?.periods() ?? []
  if (periods.length === 0 || reference !== null || (kind !== 'sale' && kind !== 'authorization')) return []
  const { environment } = await ctx.businesses.profile(businessId)
  const isRepeatable = isDerivedId(key)
  return periods.filter((period) => {
    const { recoveredAt } = period
    if (!isAfter(sentAt, recoveredAt)) return true
    const hadBegun = environment === 'test' || msOfId(key) <= recoveredAt.epochMilliseconds
    return isRepeatable && hadBegun && isBefore(sentAt, repeatedUntil(period))
  })
}

/**
 * Charges that were due in the lost period are due again at once. Retries that followed in that period follow again, later by
 * at most its length. Three days are added for a service that starts late.
 */
function repeatedUntil({ since, recoveredAt }: LostPeriod): Instant {
  const lostMs = recoveredAt.epochMilliseconds - since.epochMilliseconds
  return recoveredAt.add({ hours: 72, milliseconds: 2 * lostMs })
}

async function inquirePeriod(
  ctx: PaymentsContext,
  businessId: string,
  acquirer: Acquirer,
  leased: LeasedOperation,
  period: LostPeriod,
): Promise<LostOutcome> {
  const { operation, transaction } = leased
  if (acquirer.bookings === undefined) return resendable(acquirer, period)
  const listed = await bookingsOf(acquirer, transaction.acquirerAccountId, period)
  if (listed.kind !== 'ok') return unknown('The acquirer does not list what it booked before the recovery.')
  const booking = listed.value.get(operation.key)
  if (booking === undefined) return NONE
  if (booking.amount !== null && !booking.amount.equals(transaction.amount.abs())) {
    return unknown(
      `Before the recovery the acquirer booked ${moneyInSentence(booking.amount)} under this key.`,
    )
  }
  const { reference } = booking
  const stored = await ctx.db.transact(businessId, (tx) => storeReferences(tx, [{ operation, reference }]))
  if (!stored.has(operation.key)) return unknown('Another process has taken over the payment.')
  const inquiry = await acquirer.inquire(
    lookupOf(ctx, businessId, { ...leased, operation: { ...operation, reference } }),
  )
  return inquiry.kind === 'absent'
    ? unknown('The payment was begun before the recovery and was not confirmed.')
    : { kind: 'result', result: inquiry }
}

function resendable({ keysKeptHours = 0 }: Acquirer, { since }: LostPeriod): LostOutcome {
  if (isBefore(realClock.now(), since.add({ hours: keysKeptHours }))) return { kind: 'resend' }
  return unknown(
    'The acquirer no longer knows the keys of the lost period, so a notice or a person must decide the outcome.',
  )
}

function unknown(responseMessage: string): LostOutcome {
  return { kind: 'result', result: { kind: 'unknown', responseMessage } }
}

type Listed =
  | { readonly kind: 'ok'; readonly value: ReadonlyMap<string, Booking> }
  | Exclude<AcquirerReply<never>, { kind: 'ok' }>

const lists = new Map<string, { readonly until: Instant; readonly listed: Promise<Listed> }>()
const LISTED_FOR = { minutes: 1 }

function bookingsOf(acquirer: Acquirer, accountId: string, period: LostPeriod): Promise<Listed> {
  const name = `${accountId} ${acquirer.merchantId} ${period.since.toString()} ${period.recoveredAt.toString()}`
  const known = lists.get(name)
  if (known !== undefined && isBefore(realClock.now(), known.until)) return known.listed
  const listed = list(acquirer, period)
  lists.set(name, { until: realClock.now().add(LISTED_FOR), listed })
  void listed.then(({ kind }) => kind === 'ok' || lists.delete(name))
  return listed
}

async function list({ bookings }: Acquirer, { since, recoveredAt }: LostPeriod): Promise<Listed> {
  if (bookings === undefined) return { kind: 'absent' }
  const reply = await bookings({ from: since.subtract(MARGIN), until: recoveredAt.add(MARGIN) })
  if (reply.kind !== 'ok') return reply
  const payments = reply.value.filter(({ kind }) => kind === 'payment')
  return { kind: 'ok', value: new Map(payments.map((booking) => [booking.key, booking])) }
}
