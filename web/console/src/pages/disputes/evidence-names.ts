/** Names of evidence that acquirers accept. The service refuses others by name and lists those that it takes. */
export const EVIDENCE_TEXTS = [
  'product_description',
  'customer_name',
  'customer_email_address',
  'customer_purchase_ip',
  'billing_address',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'service_date',
  'access_activity_log',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'uncategorized_text',
] as const

export const EVIDENCE_FILES = [
  'receipt',
  'customer_communication',
  'customer_signature',
  'service_documentation',
  'shipping_documentation',
  'refund_policy',
  'cancellation_policy',
  'duplicate_charge_documentation',
  'uncategorized_file',
] as const

/** A request has at most 1 MiB, and base64 takes a third more than the file (reference/disputes#evidence). */
export const MAX_FILE_BYTES = 780_000

/** The content in base64. */
export async function readFile(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return bytes.toBase64()
}
