import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import { renderOrder, renderTax } from '#modules/payments'
import type { AppliedChange, PreviewedChange } from '../changes/apply-plan-change.ts'
import { type DecidedChange, totalOf } from '#modules/plans'
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
  return { change: renderChange(change), orders: renderPreviewedOrders(aggregate, orders) }
}

function renderChange(change: DecidedChange): Static<typeof PlanChangeData>['change'] {
  const { proration, order, waiting, credits } = change
  const total = totalOf(change)
  return {
    state: change.state,
    effective_at: toRfc3339(change.effectiveAt),
    proration_date: rfc3339OrNull(proration?.from),
    remaining: proration?.remaining ?? null,
    whole: proration?.whole ?? null,
    line_items: (order?.lines.lines ?? waiting).map(renderPlanLine),
    credited: credits.map(({ orderId, amount }) => ({ order_number: orderId, amount })),
    total,
    tax: renderTax(order?.lines.tax ?? null),
    credit_added: order?.lines.toCredit ?? Money.zero(total.currency),
  }
}
