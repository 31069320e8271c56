import type { ExactNumber } from '#kernel/json'
import type { BillingSettings } from '#modules/taxes'
import type { MetadataEdit } from '#platform/http/validation/metadata'

/** What a merchant asks a one-off invoice to bill. What is left out comes from the billing settings. */
export interface InvoiceRequest {
  readonly customer_uuid: string
  readonly currency: string
  readonly lines: readonly InvoiceLineRequest[]
  readonly legal_entity_id?: string
  readonly series?: string
  readonly tax?: BillingSettings['tax']
  readonly collection?: BillingSettings['collection']
  readonly days_until_due?: number
  readonly buyer_reference?: string | null
  readonly purchase_order?: string | null
  readonly memo?: string
  readonly reference_id?: string
  readonly metadata?: MetadataEdit
}

export interface InvoiceLineRequest {
  readonly label: string
  readonly quantity: number | ExactNumber
  readonly unit_amount: number | ExactNumber
  readonly tax_category?: string
  readonly period?: { readonly start: string; readonly end: string }
}
