import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import { dueAt } from '../model/plan-model.ts'
import { ATTEMPTS_OF_DECLINING_CARD } from '../model/policy-model.ts'
import {
  COUPONS,
  type ClockMove,
  type DrawnInvoicing,
  type DrawnTrial,
  type PlanLife,
} from '../plan/draw-plans.ts'
import { type Business, pricesOf } from './business.ts'

/** Daily attempts: too many for faults to exhaust, and all within the month. */
const ATTEMPTS = 25
const DAYS_TO_PAY = 3_650

/** A plan of a customer of its own, because a customer's default card pays all its plans. */
export async function beginPlan(business: Business, life: PlanLife): Promise<void> {
  const { merchant } = business
  const customerUuid =
    life.card === 'none'
      ? (await merchant.createCustomer()).uuid
      : (await business.newPayer(life.card))?.customerUuid
  if (customerUuid === undefined) return
  const from = life.startsFromOpening ? business.openedAt : (await merchant.now()).round('second')
  const startsAt = from.add({ minutes: life.startsAfterMinutes })
  const { couponIds, policyIds, entityId } = business.offers
  const create = (coupons: readonly number[]) => {
    const plan = {
      name: 'Membership',
      reference_number: life.name,
      customer_uuid: customerUuid,
      start_date: startsAt.toString(),
      default_collection_method: 'charge_automatically',
      payment_retry_count: life.card === 'approves' ? ATTEMPTS : ATTEMPTS_OF_DECLINING_CARD,
      payment_retry_day_period: 1,
      ...(life.gracePeriod !== null && { grace_period: life.gracePeriod }),
      ...(life.policy !== undefined && { dunning_policy_id: policyIds[life.policy] }),
      ...(life.trial !== undefined && { trial: trialOf(life.trial, startsAt) }),
      ...(life.invoicing !== undefined && { invoicing: termsOf(life.invoicing, entityId) }),
      ...(coupons.length > 0 && { coupons: coupons.map((coupon) => couponIds[coupon]) }),
      recurring_cycles: [
        {
          billing_count: life.billingCount,
          recurring_billing_config: `FREQ=${life.frequency}`,
          recurring_items: [{ recurring_item_id: pricesOf(business, life)[life.priceIndex], quantity: 1 }],
        },
      ],
    }
    const idempotencyKey = `${life.name}-create-${coupons.length}`
    return merchant.call('POST', `${PAYMENTS}/recurring_payments/plan`, { plan }, { idempotencyKey })
  }
  let coupons = life.coupons
  let reply = await create(coupons)
  if (reply.data?.error?.reason === 'coupon_exhausted') {
    business.offers.isExhausted = true
    coupons = coupons.filter((coupon) => COUPONS[coupon]?.maxRedemptions === undefined)
    reply = await create(coupons)
  }
  if (reply.status === 200) {
    const { id } = reply.data.plan
    return void business.plans.push({ life, startsAt, id, customerUuid, coupons, entries: [], transfers: [] })
  }
  // The clock was moved past the start meanwhile.
  const isLate = Temporal.Instant.compare(await merchant.now(), startsAt) > 0
  if (reply.status === 422 && isLate) return
  business.findings.push(`plan ${life.name} was refused: ${reply.status} ${JSON.stringify(reply.data)}`)
}

function trialOf({ days, minutes, withoutToken }: DrawnTrial, startsAt: Temporal.Instant): object {
  return {
    ...(days === undefined ? { until: startsAt.add({ minutes }).toString() } : { days }),
    without_token: withoutToken,
  }
}

/** The members of a plan's `invoicing`, and of an invoice. */
export function termsOf(
  { series, isTaxed, isSent }: Omit<DrawnInvoicing, 'addsTax'>,
  entityId: string,
): object {
  return {
    legal_entity_id: entityId,
    series,
    tax: isTaxed ? 'automatic' : 'none',
    collection: isSent ? 'send_invoice' : 'automatic',
    days_until_due: DAYS_TO_PAY,
  }
}

export async function moveClock(business: Business, move: ClockMove): Promise<void> {
  if ('minutes' in move) return business.advanceBy({ minutes: move.minutes })
  const start = business.openedAt.add({ minutes: move.startsAfterMinutes })
  return business.advanceTo(dueAt(start, { months: move.months }).add({ milliseconds: move.ms }))
}
