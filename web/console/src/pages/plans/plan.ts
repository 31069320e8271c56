import type { Plan, Schemas } from 'quittance'
import { formatAmount } from '#components/money.tsx'

export type Cycle = Schemas['RecurringCycle']

/** The cycle that bills now, or the last one that did. */
export function currentCycle({ recurring_cycles: cycles }: Plan): Cycle | undefined {
  const begun = cycles.filter(({ state }) => state !== 'upcoming')
  return (
    begun.find(({ state }) => state !== 'completed' && state !== 'canceled') ?? begun.at(-1) ?? cycles.at(0)
  )
}

export function currencyOf(plan: Plan): string {
  return plan.current_order?.currency ?? plan.recurring_cycles[0]?.recurring_items[0]?.currency ?? ''
}

/** What is due on the newest order, and its reference, for sentences. */
export function newestOrder({ current_order: order }: Plan, language: string) {
  if (order === undefined) return { amount: '', reference: '' }
  const amount = `${formatAmount(order.amount, order.currency, language)} ${order.currency}`
  return { amount, reference: order.reference_number }
}

const CHANGEABLE: ReadonlySet<Plan['state']> = new Set(['upcoming', 'active', 'past_due'])
const ENDED: ReadonlySet<Plan['state']> = new Set(['completed', 'canceled'])

export type PlanAction =
  | 'change'
  | 'remove_change'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'uncancel'
  | 'trial'
  | 'reactivate'
  | 'retry'
  | 'charge'
  | 'credit'
  | 'edit'

/** The actions that the state allows (reference/recurring). The service decides again. */
export function isAllowed(action: PlanAction, plan: Plan): boolean {
  const hasEnded = ENDED.has(plan.state)
  switch (action) {
    case 'change':
      return CHANGEABLE.has(plan.state)
    case 'remove_change':
      return plan.pending_change !== undefined
    case 'pause':
      return !hasEnded && plan.state !== 'paused'
    case 'resume':
      return plan.state === 'paused'
    case 'retry':
      return plan.current_order?.state === 'open' && plan.state !== 'uncollectible'
    case 'charge':
      return plan.current_order?.state === 'open' && plan.state === 'uncollectible'
    case 'uncancel':
      return plan.cancel_at !== undefined
    case 'trial':
      return plan.trial?.state === 'running'
    case 'reactivate':
      // While an order can be paid, a payment revives the plan.
      return (
        plan.state === 'canceled' || (plan.state === 'uncollectible' && plan.current_order?.state !== 'open')
      )
    case 'cancel':
    case 'credit':
      return !hasEnded
    case 'edit':
      return true
  }
}

/** "every 3 months on day 31" as the members of a text. */
export function intervalOf({ recurring_billing_config: config }: Cycle) {
  return { count: config.interval_count, unit: config.billing_interval, day: config.billing_day_of_month }
}
