import { Money } from '#kernel/money'
import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import type { ApiOrder, ApiTransaction } from '../../acquirers/api-order.ts'
import { usedCredit } from '../checks/check-given-back.ts'
import { isTransfer } from '../checks/check-accounts.ts'
import type { BilledOrder, PlanModel } from '../model/plan-model.ts'
import type { NoteStep } from '../plan/draw-invoices.ts'
import { shareOf } from '../plan/draw-orders.ts'
import type { Business } from './business.ts'
import { documents, issueNote, minorOf, move } from './invoices.ts'

const NEWEST = '10'
const REFUSALS: ReadonlySet<number> = new Set([409, 422])

/** Credits the newest invoice of a plan. */
export async function noteOfPlan(
  business: Business,
  plan: PlanModel,
  step: NoteStep,
  key: string,
): Promise<void> {
  if (plan.life.invoicing === undefined) return
  const [newest] = await documents(business, `plan_id = "${plan.id}" AND type = "invoice"`)
  if (newest === undefined) return
  const made = await periodsOf(business, plan)
  const before: ApiOrder = await business.order(newest.order_number)
  const note = await issueNote(business, newest.id, step, key)
  if (note === undefined) return
  const after: ApiOrder = await business.order(newest.order_number)
  const { totalMinor, lineMinor, at } = note
  // The order may have been paid meanwhile, so what is due before and after says nothing.
  const loweredMinor =
    step.refund === 'none'
      ? totalMinor - (overpaidOf(after) - overpaidOf(before))
      : creditedOf(after) - creditedOf(before)
  plan.entries.push({
    do: 'note',
    at,
    made,
    of: billedOrder(before),
    lineMinor,
    loweredMinor,
    restMinor: totalMinor - loweredMinor,
    refund: step.refund,
  })
}

/** Refunds, by hand, the newest order that a card has paid. */
export async function refundOfPlan(
  business: Business,
  plan: PlanModel,
  percent: number,
  key: string,
): Promise<void> {
  const made = await periodsOf(business, plan)
  for (const order of await newestOrders(business, plan)) {
    const payment = order.transactions.find((one) => one.type === 'Sales' && one.success && !isTransfer(one))
    if (payment === undefined) continue
    const amountMinor = shareOf(minorOf(payment.amount), percent)
    const amount = Money.ofMinor('HKD', amountMinor)
    const body = { transaction: { uuid: payment.uuid }, amount, reference_id: key }
    const { status, data } = await move(business, `${PAYMENTS}/transactions/refund`, body, key)
    if (REFUSALS.has(status)) return
    const refund: ApiTransaction | undefined = data?.transaction
    const after: ApiOrder = await business.order(order.number)
    plan.entries.push({
      do: 'refund',
      at: refund === undefined ? await business.merchant.now() : Temporal.Instant.from(refund.created_at),
      made,
      of: billedOrder(order),
      amountMinor,
      isDone: refund?.success === true,
      isWhole: after.state === 'refunded',
    })
    return
  }
}

/** Voids the newest order, if nobody has paid it. */
export async function voidOfPlan(business: Business, plan: PlanModel, key: string): Promise<void> {
  if (plan.life.invoicing?.isSent !== true) return
  const made = await periodsOf(business, plan)
  const [order] = await newestOrders(business, plan)
  if (order?.state !== 'open' || order.paid_total !== '0.00') return
  const { data } = await move(business, `${PAYMENTS}/orders/void`, { order: { number: order.number } }, key)
  if (data?.order?.state !== 'voided') return
  plan.entries.push({ do: 'void', at: await business.merchant.now(), made, of: billedOrder(order) })
}

/** Returns how many periods were billed. Later periods come after the next act. */
async function periodsOf({ merchant }: Business, { id }: PlanModel): Promise<number> {
  const { recurring_cycles: cycles } = (await merchant.getPlan(id)) as {
    recurring_cycles: readonly { readonly billing_count_created: number }[]
  }
  return cycles.reduce((sum, cycle) => sum + cycle.billing_count_created, 0)
}

/** A plan has a customer of its own. */
async function newestOrders({ merchant }: Business, { customerUuid }: PlanModel): Promise<ApiOrder[]> {
  const query = new URLSearchParams({ filter: `customer.uuid = "${customerUuid}"`, limit: NEWEST })
  return (await merchant.ok('GET', `${PAYMENTS}/orders?${query.toString()}`)).orders as ApiOrder[]
}

function billedOrder(order: ApiOrder): BilledOrder {
  return {
    number: order.number,
    isOfChange: order.billing?.kind === 'change',
    createdAt: Temporal.Instant.from(order.created_at),
    isPrepaid: usedCredit(order).isPositive(),
  }
}

function creditedOf({ billing }: ApiOrder): bigint {
  return minorOf(billing?.credited_total ?? 0)
}

/** What was paid above what the order asks for. What was refunded has a note of its own. */
function overpaidOf(order: ApiOrder): bigint {
  const refunds = order.transactions.filter(({ type, success }) => type === 'Refund' && success)
  const refunded = refunds.reduce((sum, { amount }) => sum + minorOf(Math.abs(amount)), 0n)
  const over = minorOf(Number(order.paid_total)) + refunded - minorOf(order.initial_total) + creditedOf(order)
  return over > 0n ? over : 0n
}
