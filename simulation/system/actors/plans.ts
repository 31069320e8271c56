import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import { ATTEMPTS } from '../../workload/workload.ts'
import { ATTEMPTS_OF_DECLINING_CARD } from '../model/plan-model.ts'
import type { ClockMove, PlanLife } from '../plan/draw-plans.ts'
import type { Business } from './business.ts'

/** A plan of a customer of its own, because a customer's default card pays all its plans. */
export async function beginPlan(business: Business, life: PlanLife): Promise<void> {
  const { merchant } = business
  const payer = await business.newPayer(life.card)
  if (payer === undefined) return
  const now = (await merchant.now()).round('second')
  const startsAt = now.add({ minutes: life.startsAfterMinutes })
  const plan = {
    name: 'Membership',
    reference_number: life.name,
    customer_uuid: payer.customerUuid,
    start_date: startsAt.toString(),
    default_collection_method: 'charge_automatically',
    payment_retry_count: life.card === 'approves' ? ATTEMPTS : ATTEMPTS_OF_DECLINING_CARD,
    payment_retry_day_period: 1,
    ...(life.gracePeriod !== null && { grace_period: life.gracePeriod }),
    recurring_cycles: [
      {
        billing_count: life.billingCount,
        recurring_billing_config: `FREQ=${life.frequency}`,
        recurring_items: [{ recurring_item_id: business.items[life.priceIndex], quantity: 1 }],
      },
    ],
  }
  const path = `${PAYMENTS}/recurring_payments/plan`
  const reply = await merchant.call('POST', path, { plan }, { idempotencyKey: `${life.name}-create` })
  if (reply.status === 200) return void business.plans.push({ life, startsAt })
  // The clock was moved past the start meanwhile.
  const isLate = Temporal.Instant.compare(await merchant.now(), startsAt) > 0
  if (reply.status === 422 && isLate) return
  business.findings.push(`plan ${life.name} was refused: ${reply.status} ${JSON.stringify(reply.data)}`)
}

export async function moveClock(business: Business, { minutes }: ClockMove): Promise<void> {
  await business.advanceBy({ minutes })
}
