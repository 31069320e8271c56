/** What may be mailed to a customer (reference/messages). Here, because customers can switch off any kind. */
export const MESSAGE_KINDS = [
  'receipt',
  'invoice',
  'credit_note',
  'payment_failed',
  'payment_reminder',
  'plan_canceled',
  'trial_ending',
  'renewal_ahead',
  'portal_link',
  'card_expiring',
  'usage_alert',
  'balance_low',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]
