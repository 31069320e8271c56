import type { MessageKind } from '#modules/customers'

export { MESSAGE_KINDS, type MessageKind } from '#modules/customers'

/** The kinds that payers may unsubscribe from. A complaint stops them too. */
export const OPTIONAL_KINDS: ReadonlySet<MessageKind> = new Set([
  'card_expiring',
  'usage_alert',
  'balance_low',
])
