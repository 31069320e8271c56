import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { decimalToString } from '#kernel/decimal'
import { rawNumber } from '#kernel/json'
import type { Customer, PaymentToken } from '#modules/customers'
import {
  correspondenceState,
  lineTotal,
  type OrderWithTransactions,
  renderBilledLine,
  renderTax,
} from '#modules/payments'
import { SuccessWithMessage } from '#platform/envelope'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import {
  billingAmount,
  type Cancellation,
  type CreatedPlan,
  type Cycle,
  type CycleTimes,
  cycleTimes,
  type PendingChange,
  type Plan,
  type PlanAggregate,
  type PlanEvent,
  type PlanInvoicing,
  type PlanPreview,
  type PlanView,
  type PreviewedOrder,
  type RecurringOrderView,
} from '#modules/plans'
import {
  type CycleItem,
  type Discount,
  type Line,
  pricedItem,
  renderConfig,
  renderItem,
  retryNumbers,
} from '#modules/catalogue'
import { renderLifecycle } from './lifecycle/render.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { renderPlanCoupons } from './plan-coupons/render.ts'
import type {
  CycleItemSchema,
  CycleSchema,
  CycleWithPlan,
  PlanData,
  PlanLine,
  PlanOrderSchema,
  PlanSchema,
  PlansPage,
  PreviewSchema,
  RecurringOrderSchema,
} from './schemas.ts'

export function renderPlanData(view: PlanView): Static<typeof PlanData> {
  return { plan: renderPlan(view) }
}

export function renderCreatedPlan({
  view,
  isExisting,
}: CreatedPlan): Static<typeof PlanData> | SuccessWithMessage<Static<typeof PlanData>> {
  const data = renderPlanData(view)
  return isExisting ? new SuccessWithMessage('plan has been created', data) : data
}

export function renderPlansPage(request: PageRequest, found: readonly PlanView[]): Static<typeof PlansPage> {
  const keyOf = ({ aggregate: { plan } }: PlanView) => ({ at: plan.createdAt, id: plan.id })
  const { rows, page } = renderPage(request, found, keyOf, renderPlan)
  return { plans: rows, page }
}

export function renderEventData(view: PlanView) {
  const plan = renderPlan(view)
  return (event: PlanEvent): Static<typeof PlanData | typeof CycleWithPlan> => {
    if (!('position' in event)) return { plan }
    const cycle = plan.recurring_cycles[event.position]
    if (cycle === undefined) throw new Error(`plan ${plan.id} has no cycle ${event.position}`)
    return { plan, recurring_cycle: cycle }
  }
}

export function renderPreview({ aggregate, orders }: PlanPreview): Static<typeof PreviewSchema> {
  return { orders: renderPreviewedOrders(aggregate, orders) }
}

export function renderPreviewedOrders(
  aggregate: PlanAggregate,
  orders: readonly PreviewedOrder[],
): Static<typeof PreviewSchema>['orders'] {
  const times = cycleTimes(aggregate)
  return orders.map(({ start, cycle, items: billedItems, billed }) => ({
    date: toRfc3339(start),
    amount: billed.total,
    currency: billed.total.currency,
    recurring_cycle: renderCycle(aggregate, cycle, billedItems, times[cycle.position]),
    line_items: billed.lines.map(renderPlanLine),
    tax: renderTax(billed.tax),
  }))
}

export function renderPlanLine(line: Line): Static<typeof PlanLine> {
  return {
    purchasable_type: 'Charge',
    price: line.price,
    quantity: line.quantity,
    total: lineTotal(line),
    label: line.label,
    ...renderBilledLine(line.billed),
  }
}

export function renderRecurringOrder(
  customers: Pick<BillingDependencies['customers'], 'renderCustomer'>,
  { customer, defaultToken, plan, cycle, items, order, at }: RecurringOrderView,
): Static<typeof RecurringOrderSchema> {
  return {
    customer: customers.renderCustomer(customer, defaultToken, at),
    recurring_cycle: {
      recurring_billing_config: renderConfig(cycle.config),
      recurring_items: items.map(({ item }) => renderItem(item)),
      discount_amount: cycle.discount === null ? 0 : discountAmount(cycle.discount),
    },
    order: renderPlanOrder(plan, order, defaultToken),
  }
}

function renderPlan(view: PlanView): Static<typeof PlanSchema> {
  const { aggregate, items, customer, currentOrder, defaultToken, paymentLink } = view
  const { plan, policy } = aggregate
  const retries = policy && retryNumbers(policy)
  return {
    id: plan.id,
    name: plan.name,
    ...(plan.referenceNumber !== null && { reference_number: plan.referenceNumber }),
    state: plan.state,
    ...(defaultToken !== undefined && { default_payment_token: defaultToken.token }),
    default_collection_method: plan.defaultCollectionMethod,
    payment_retry_count: retries?.count ?? plan.paymentRetryCount,
    payment_retry_day_period: retries?.dayPeriod ?? plan.paymentRetryDayPeriod,
    ...(plan.dunningPolicyId !== null && { dunning_policy_id: plan.dunningPolicyId }),
    grace_period: plan.gracePeriod,
    credit: plan.credit,
    ...(plan.callbackUrl !== null && { callback_url: plan.callbackUrl }),
    ...(plan.redirectUrl !== null && { redirect_url: plan.redirectUrl }),
    ...(plan.note !== null && { note: plan.note }),
    ...(plan.timeout !== null && {
      timeout: renderTimeout(plan.timeout.seconds, plan.timeout.url),
    }),
    description: plan.description,
    ...(plan.metadata !== null && { metadata: plan.metadata }),
    start_date: toRfc3339(plan.startAt),
    next_execute_time: rfc3339OrNull(plan.nextExecuteAt),
    ...(plan.cancelAt !== null && { cancel_at: toRfc3339(plan.cancelAt) }),
    ...(plan.cancellation !== null && { cancellation: renderCancellation(plan.cancellation) }),
    ...(plan.pendingChange !== null && { pending_change: renderPendingChange(plan.pendingChange) }),
    ...(plan.pendingLines.length > 0 && { pending_lines: plan.pendingLines.map(renderPlanLine) }),
    ...renderLifecycle(plan),
    ...(plan.invoicing !== null && { invoicing: renderInvoicing(plan.invoicing) }),
    created_at: toRfc3339(plan.createdAt),
    updated_at: toRfc3339(plan.updatedAt),
    deleted_at: null,
    recurring_cycles: renderCycles(aggregate, items),
    ...(plan.hasCoupons && { coupons: renderPlanCoupons(aggregate.coupons) }),
    ...(customer !== undefined && { customer: renderPlanCustomer(customer) }),
    ...(currentOrder !== undefined && {
      current_order: renderPlanOrder(plan, currentOrder, defaultToken),
    }),
    ...(paymentLink !== undefined && { current_payment_link: paymentLink }),
  }
}

function renderCancellation({ reason, comment, by }: Cancellation) {
  return { reason, ...(comment !== null && { comment }), by }
}

function renderInvoicing(invoicing: PlanInvoicing) {
  const { legalEntityId, series, tax, collection, daysUntilDue, buyerReference, purchaseOrder } = invoicing
  return {
    legal_entity_id: legalEntityId,
    ...(series !== null && { series }),
    tax,
    collection,
    days_until_due: daysUntilDue,
    ...(buyerReference !== undefined && { buyer_reference: buyerReference }),
    ...(purchaseOrder !== undefined && { purchase_order: purchaseOrder }),
  }
}

function renderPendingChange({
  at,
  items,
  rhythm,
  payment,
}: PendingChange): NonNullable<Static<typeof PlanSchema>['pending_change']> {
  return {
    effective_at: toRfc3339(at),
    ...(payment !== null && {
      state: 'awaiting_payment',
      order_number: payment.orderId,
      until: toRfc3339(payment.until),
    }),
    recurring_items: items.map(({ itemId, quantity }) => ({ recurring_item_id: itemId, quantity })),
    ...(rhythm !== null && {
      recurring_billing_config: rhythm.configId,
      billing_count: rhythm.billingCount,
    }),
  }
}

function renderCycles(aggregate: PlanAggregate, items: PlanView['items']): Static<typeof CycleSchema>[] {
  const times = cycleTimes(aggregate)
  return aggregate.cycles.map((cycle, position) => ({
    id: cycle.id,
    ...renderCycle(aggregate, cycle, items[position] ?? [], times[position]),
  }))
}

/** Renders a cycle without its id, because cycles of a preview have none. */
function renderCycle(
  aggregate: PlanAggregate,
  cycle: Cycle,
  items: readonly CycleItem[],
  times: CycleTimes | undefined,
): Static<typeof CycleSchema> {
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

function discountAmount(discount: Discount): unknown {
  return discount.type === 'fixed_amount' ? discount.amount : rawNumber(decimalToString(discount.rate))
}

function renderCycleItem({ item, quantity }: CycleItem): Static<typeof CycleItemSchema> {
  return { ...renderItem(item), quantity }
}

function renderPlanCustomer(customer: Customer): NonNullable<Static<typeof PlanSchema>['customer']> {
  return {
    uuid: customer.uuid,
    reference_number: customer.referenceNumber,
    name: customer.name,
    ...(customer.email !== null && { email: customer.email }),
    phone: customer.phone,
    ...(customer.defaultPaymentMethod !== null && { default_payment_method: customer.defaultPaymentMethod }),
  }
}

function renderPlanOrder(
  plan: Plan,
  found: OrderWithTransactions,
  defaultToken: PaymentToken | undefined,
): Static<typeof PlanOrderSchema> {
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
    ...(order.timeout !== null && { timeout: renderTimeout(order.timeout.timer, order.timeout.url) }),
  }
}

function renderTimeout<Timer>(timer: Timer, url: string | null): { timer: Timer; url?: string } {
  return { timer, ...(url !== null && { url }) }
}
