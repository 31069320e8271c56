import type { TSchema } from 'typebox'

/** Members that are the business's own, wherever they stand in a response (reference/portal#answers). */
const OWN_MEMBERS: ReadonlySet<string> = new Set([
  'acquirer_account_id',
  'acquirer_name',
  'allow_refund',
  'allow_void',
  'brn',
  'callback_url',
  'default_collection_method',
  'device_sn',
  'dunning_policy_id',
  'exempt_reason',
  'fee',
  'grace_period',
  'invoicing',
  'merchant_id',
  'metadata',
  'new_gateway_txn_id',
  'note',
  'notify_url',
  'original_transaction_reference_id',
  'payment_retry_count',
  'payment_retry_day_period',
  'plan_metadata',
  'reference',
  'reference_id',
  'rrn',
  'tax_exempt',
])

/** Leaves the business's own members out of a response. Amounts and other values with a class of their own stay as they are. */
export function shownToCustomer(value: object): object {
  return shown(value) as object
}

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  const members = Object.entries(value).filter(([name]) => !OWN_MEMBERS.has(name))
  return Object.fromEntries(members.map(([name, member]) => [name, shown(member)]))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && !JSON.isRawJSON(value)
}

/** The schema of what `shownToCustomer` leaves. Resources get names of their own. */
export function schemaForCustomers<Schema extends TSchema>(schema: Schema): Schema {
  return withoutOwn(schema) as Schema
}

function withoutOwn(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOwn)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Record<string, unknown> = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
  const { title, properties, required, items, anyOf } = copy
  if (typeof title === 'string') copy['title'] = `Portal${title}`
  if (Array.isArray(required)) copy['required'] = required.filter((name) => !OWN_MEMBERS.has(String(name)))
  if (items !== undefined) copy['items'] = withoutOwn(items)
  if (anyOf !== undefined) copy['anyOf'] = withoutOwn(anyOf)
  if (typeof properties === 'object' && properties !== null) {
    const kept = Object.entries(properties).filter(([name]) => !OWN_MEMBERS.has(name))
    copy['properties'] = Object.fromEntries(kept.map(([name, member]) => [name, withoutOwn(member)]))
  }
  return copy
}
