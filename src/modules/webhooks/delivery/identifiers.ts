/**
 * The members that remain of each resource in a truncated message. They identify the object, and suffice to fetch
 * it.
 */
export const IDENTIFIERS: Readonly<Record<string, readonly string[]>> = {
  order: ['number', 'reference_number', 'customer_uuid'],
  transaction: ['uuid', 'reference_id'],
  dispute: ['id', 'acquirer_reference'],
  plan: ['id', 'reference_number'],
  product: ['id', 'reference_id'],
  price: ['id', 'reference_id'],
  dunning_policy: ['id', 'reference_id'],
  coupon: ['id', 'reference_id'],
  tax_rate: ['id', 'reference_id'],
  invoice: ['id', 'number', 'order_number', 'reference_id'],
  credit_note: ['id', 'number', 'order_number', 'reference_id'],
  bank_entry: ['id', 'bank_statement_id'],
  recurring_cycle: ['id', 'recurring_plan_id'],
  customer: ['uuid'],
  payment_token: ['token', 'customer_uuid'],
  message: ['id', 'object_id', 'message_id', 'customer_uuid'],
  card: ['id', 'reference_id', 'p_user_id'],
  authorization: ['uuid', 'card_id', 'reference_id'],
  wallet_transaction: ['id', 'wallet_id', 'transaction_hash'],
}

export function identifiersOf(data: string): object {
  const resources = Object.entries(JSON.parse(data) as Record<string, Record<string, unknown>>)
  return Object.fromEntries(
    resources.map(([name, resource]) => [
      name,
      Object.fromEntries(
        (IDENTIFIERS[name] ?? []).flatMap((member) => {
          const value = resource[member]
          return typeof value === 'string' ? [[member, value]] : []
        }),
      ),
    ]),
  )
}
