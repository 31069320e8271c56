import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { decimalToString } from '#kernel/decimal'
import { rawNumber } from '#kernel/json'
import type { Customer, PaymentToken } from '#modules/customers'
import { correspondenceState, type OrderWithTransactions, renderTimeout } from '#modules/payments'
import { type CycleItem, pricedItem, type RecurringItem } from '../catalogue/catalogue.ts'
import { type Discount, billingAmount } from '../billing/order-lines.ts'
import type { BillingConfigRecord, Cycle, PlanAggregate, Plan } from '../plan/plan.ts'
import { type CycleTimes, cycleTimes } from '../billing/timeline.ts'

/** What a response shows beside the plan itself, read in the same snapshot. */
export interface PlanRelations {
  readonly items: readonly (readonly CycleItem[])[]
  readonly customer: Customer | undefined
  readonly defaultToken: PaymentToken | undefined
  readonly currentOrder: OrderWithTransactions | undefined
  readonly paymentLink: string | undefined
}

export function renderPlan(aggregate: PlanAggregate, relations: PlanRelations): object {
  const { plan } = aggregate
  const { customer, currentOrder, defaultToken, paymentLink } = relations
  return {
    id: plan.id,
    name: plan.name,
    ...(plan.referenceNumber !== null && { reference_number: plan.referenceNumber }),
    state: plan.state,
    ...(defaultToken !== undefined && { default_payment_token: defaultToken.token }),
    default_collection_method: plan.defaultCollectionMethod,
    payment_retry_count: plan.paymentRetryCount,
    payment_retry_day_period: plan.paymentRetryDayPeriod,
    grace_period: plan.gracePeriod,
    credit: plan.credit,
    ...(plan.callbackUrl !== null && { callback_url: plan.callbackUrl }),
    ...(plan.redirectUrl !== null && { redirect_url: plan.redirectUrl }),
    ...(plan.note !== null && { note: plan.note }),
    ...(plan.timeout !== null && {
      timeout: renderTimeout({ timer: plan.timeout.seconds, url: plan.timeout.url }),
    }),
    description: plan.description,
    ...(plan.metadata !== null && { metadata: plan.metadata }),
    start_date: toRfc3339(plan.startAt),
    next_execute_time: rfc3339OrNull(plan.nextExecuteAt),
    ...(plan.cancelAt !== null && { cancel_at: toRfc3339(plan.cancelAt) }),
    created_at: toRfc3339(plan.createdAt),
    updated_at: toRfc3339(plan.updatedAt),
    deleted_at: null,
    recurring_cycles: renderCycles(aggregate, relations.items),
    ...(customer !== undefined && { customer: renderPlanCustomer(customer) }),
    ...(currentOrder !== undefined && {
      current_order: renderPlanOrder(plan, currentOrder, defaultToken),
    }),
    ...(paymentLink !== undefined && { current_payment_link: paymentLink }),
  }
}

function renderCycles(aggregate: PlanAggregate, items: readonly (readonly CycleItem[])[]): object[] {
  const times = cycleTimes(aggregate)
  return aggregate.cycles.map((cycle, position) => ({
    id: cycle.id,
    ...renderCycle(aggregate, cycle, items[position] ?? [], times[position]),
  }))
}

/** Renders a cycle without its id, because cycles of a preview have none. */
export function renderCycle(
  aggregate: PlanAggregate,
  cycle: Cycle,
  items: readonly CycleItem[],
  times: CycleTimes | undefined,
): object {
  return {
    state: cycle.state,
    recurring_plan_id: cycle.planId,
    billing_count: cycle.billingCount,
    billing_count_created: cycle.ordersCreated,
    recurring_billing_config: renderConfig(cycle.config),
    recurring_items: items.map(renderCycleItem),
    billing_amount: billingAmount(items.map(pricedItem), cycle.discount, aggregate.plan.credit.currency),
    ...(cycle.discount !== null && {
      discount_amount: discountAmount(cycle.discount),
      discount_type: cycle.discount.type,
    }),
    previous_cycle: aggregate.cycles[cycle.position - 1]?.id || null,
    next_cycle: aggregate.cycles[cycle.position + 1]?.id || null,
    ...(times?.estimatedStart != null && { estimated_start_date: toRfc3339(times.estimatedStart) }),
    start_date: rfc3339OrNull(cycle.start?.at),
    estimated_end_date: rfc3339OrNull(times?.estimatedEnd),
    end_date: rfc3339OrNull(cycle.endAt),
    next_execute_time: rfc3339OrNull(times?.nextExecute),
    description: cycle.description,
    created_at: toRfc3339(cycle.createdAt),
    updated_at: toRfc3339(cycle.updatedAt),
    deleted_at: null,
  }
}

export function discountAmount(discount: Discount | null): unknown {
  if (discount === null) return 0
  return discount.type === 'fixed_amount' ? discount.amount : rawNumber(decimalToString(discount.rate))
}

export function renderConfig(config: BillingConfigRecord): object {
  return {
    id: config.id,
    billing_interval: config.billing_interval,
    interval_count: config.interval_count,
    billing_type: config.billing_type,
    ...(config.billing_month !== undefined && { billing_month: config.billing_month }),
    ...(config.billing_day_of_month !== undefined && { billing_day_of_month: config.billing_day_of_month }),
    billing_proration_enabled: config.billing_proration_enabled,
    ...(config.description !== null && { description: config.description }),
    created_at: toRfc3339(config.createdAt),
    updated_at: toRfc3339(config.createdAt),
    deleted_at: null,
  }
}

export function renderItem(item: RecurringItem): object {
  return {
    id: item.id,
    label: item.label,
    price: item.price,
    currency: item.price.currency,
    ...(item.referenceId !== null && { reference_id: item.referenceId }),
    ...(item.description !== null && { description: item.description }),
    created_at: toRfc3339(item.createdAt),
    updated_at: toRfc3339(item.createdAt),
    deleted_at: null,
  }
}

function renderCycleItem({ item, quantity }: CycleItem): object {
  return { ...renderItem(item), quantity }
}

function renderPlanCustomer(customer: Customer): object {
  return {
    uuid: customer.uuid,
    reference_number: customer.referenceNumber,
    name: customer.name,
    ...(customer.email !== null && { email: customer.email }),
    phone: customer.phone,
    ...(customer.defaultPaymentMethod !== null && { default_payment_method: customer.defaultPaymentMethod }),
  }
}

export function renderPlanOrder(
  plan: Plan,
  found: OrderWithTransactions,
  defaultToken: PaymentToken | undefined,
): object {
  const { order, transactions } = found
  const paying = transactions.findLast((transaction) => transaction.answer.authCode !== '')
  return {
    amount: order.initialTotal,
    paid_total: order.paidTotal,
    currency: order.currency,
    order_number: order.id,
    reference_number: order.referenceNumber,
    state: order.state,
    correspondence_state: correspondenceState(order),
    auth_code: paying?.answer.authCode ?? '',
    default_payment_token: defaultToken?.token ?? '',
    default_collection_method: plan.defaultCollectionMethod,
    note: plan.note ?? '',
    redirect_url: plan.redirectUrl ?? '',
    ...(order.timeout !== null && { timeout: renderTimeout(order.timeout) }),
  }
}
