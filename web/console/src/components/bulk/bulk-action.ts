import { PAYMENTS } from '#app/api.ts'

/** A bulk action as the API shows it (reference/bulk-actions). */
export interface BulkActionState {
  readonly id: string
  readonly action: string
  readonly dry_run: boolean
  readonly state: 'pending' | 'running' | 'completed' | 'canceled'
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  readonly amounts: readonly { readonly currency: string; readonly total: string | number }[]
  readonly failures: readonly { readonly id: string; readonly reason: string; readonly message: string }[]
}

/**
 * The lists whose rows take bulk actions.
 * - `takesFilter`: The filter of the list is also that of the bulk action. Otherwise rows must be selected.
 */
export const BULK_TARGETS = {
  orders: {
    path: `${PAYMENTS}/bulk_actions`,
    scope: 'payments:write',
    actions: ['refund', 'void'],
    takesFilter: true,
  },
  transactions: {
    path: `${PAYMENTS}/bulk_actions`,
    scope: 'payments:write',
    actions: ['refund', 'void'],
    takesFilter: false,
  },
  plans: {
    path: `${PAYMENTS}/recurring_payments/bulk_actions`,
    scope: 'recurring:write',
    actions: ['cancel'],
    takesFilter: true,
  },
  deliveries: {
    path: '/svc/event/api/v1/openapi/bulk_actions',
    scope: 'webhooks:write',
    actions: ['redeliver'],
    takesFilter: true,
  },
} as const

export type BulkTarget = keyof typeof BULK_TARGETS

export interface Selection {
  readonly action: string
  readonly ids: readonly string[]
  readonly filter: string
}
