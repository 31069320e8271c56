import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { renderOrder, renderTax } from '#modules/payments'
import { type AppliedChange, type ShownChange, shownChange } from '../paid-first/applied-change.ts'
import type { PreviewedChange } from '../changes/apply-plan-change.ts'
import type { PlanChangeData, PlanChangePreview } from './change.schemas.ts'
import { renderPlanData, renderPreviewedOrders, renderPlanLine } from './render.ts'

export function renderPlanChange({ view, change, order, at }: AppliedChange): Static<typeof PlanChangeData> {
  return {
    ...renderPlanData(view),
    change: renderChange(change),
    ...(order !== undefined && { order: renderOrder(order.order, order.transactions, at) }),
  }
}

export function renderPlanChangePreview({
  aggregate,
  change,
  orders,
}: PreviewedChange): Static<typeof PlanChangePreview> {
  return { change: renderChange(shownChange(change)), orders: renderPreviewedOrders(aggregate, orders) }
}

function renderChange(change: ShownChange): Static<typeof PlanChangeData>['change'] {
  const { proration, lines, credits, total, tax, creditAdded } = change
  return {
    state: change.state,
    effective_at: toRfc3339(change.effectiveAt),
    proration_date: rfc3339OrNull(proration?.from),
    remaining: proration?.remaining ?? null,
    whole: proration?.whole ?? null,
    line_items: lines.map(renderPlanLine),
    credited: credits.map(({ orderId, amount }) => ({ order_number: orderId, amount })),
    total,
    tax: renderTax(tax),
    credit_added: creditAdded,
  }
}
