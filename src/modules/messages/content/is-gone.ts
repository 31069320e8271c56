import { hasEnded } from '#modules/plans'
import { type Message, orderIdOf } from '../model/message.ts'
import type { ContentGround } from './read-ground.ts'

/** Whether the cause of a message no longer holds, so that the message would be wrong. */
export function isGone(message: Message, { orders, plans, tokens, portalLinks }: ContentGround): boolean {
  const { id, kind, facts } = message
  const order = orders.get(orderIdOf(message) ?? '')?.order
  const plan = plans.get(facts?.planId ?? '')?.plan
  switch (kind) {
    case 'payment_failed':
    case 'payment_reminder':
      return order?.state !== 'open'
    case 'plan_canceled':
      return plan === undefined || (plan.state !== 'canceled' && plan.cancelAt === null)
    case 'trial_ending':
      return plan?.trial?.state !== 'running'
    case 'renewal_ahead':
      return plan === undefined || hasEnded(plan) || plan.cancelAt !== null
    case 'card_expiring':
      return tokens.get(facts?.token ?? '')?.isDefault !== true
    case 'portal_link':
      return !portalLinks.has(id)
    case 'receipt':
      // The payment was reversed or refunded. A receipt joined with the invoice still goes out, because it carries the invoice.
      return (order?.state === 'voided' || order?.state === 'open') && facts?.documentId === undefined
    case 'invoice':
    case 'credit_note':
    case 'usage_alert':
    case 'balance_low':
      return false
  }
}
