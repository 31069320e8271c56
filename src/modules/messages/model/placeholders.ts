/** The names that may stand in `{{ }}` in a template (reference/messages#templates). */
export const PLACEHOLDERS = [
  'customer_name',
  'business_name',
  'amount',
  'order_number',
  'document_number',
  'plan_name',
  'date',
  'link',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]
