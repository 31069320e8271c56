export interface ApiTransaction {
  readonly type: 'Sales' | 'Authorization' | 'Refund' | 'Capture'
  readonly uuid: string
  readonly original_transaction_uuid?: string | null
  /** The caller's own. */
  readonly reference_id?: string
  readonly currency: string
  readonly amount: number
  readonly success: boolean
  readonly is_pending: boolean
  readonly void_is_pending: boolean
  readonly created_at: string
  readonly decline_code?: string
  readonly payment_data: {
    readonly transaction_state: string
    readonly acquirer_type?: string
    readonly new_gateway_txn_id?: string
  }
}

export interface ApiOrder {
  readonly number: string
  readonly reference_number: string
  readonly state: string
  readonly correspondence_state: string
  readonly currency: string
  readonly initial_total: number
  readonly paid_total: string
  readonly created_at: string
  readonly billing?: {
    readonly kind: string
    readonly credited_total: number
    readonly written_off?: number
    readonly moved_to_credit?: number
    readonly invoice_id?: string
  }
  readonly line_items?: readonly { readonly kind?: string; readonly total: number }[] | null
  readonly transactions: readonly ApiTransaction[]
}
