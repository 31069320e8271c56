import type { Quittance, Schemas } from 'quittance'

export type BulkActionState = Schemas['BulkAction']

interface NewBulkAction {
  action: string
  dry_run?: boolean
  ids?: string[]
  filter?: string
}

/** The methods of the SDK that the bulk actions of all kinds of objects share. Each kind has `actions` of its own. */
interface BulkActions {
  create(action: NewBulkAction): Promise<BulkActionState>
  get(id: string, options: { signal: AbortSignal }): Promise<BulkActionState>
  cancel(id: string): Promise<BulkActionState>
  takeOver(id: string): Promise<BulkActionState>
}

/**
 * A list whose rows take bulk actions.
 * - `takesFilter`: The filter of the list is also that of the bulk action. Otherwise rows must be selected.
 */
interface Target {
  readonly in: (quittance: Quittance) => BulkActions
  readonly scope: string
  readonly actions: readonly string[]
  readonly takesFilter: boolean
}

export type BulkTarget = 'orders' | 'transactions' | 'plans' | 'deliveries'

export const BULK_TARGETS: Readonly<Record<BulkTarget, Target>> = {
  orders: {
    in: ({ paymentBulkActions }) => paymentBulkActions,
    scope: 'payments:write',
    actions: ['refund', 'void'],
    takesFilter: true,
  },
  transactions: {
    in: ({ paymentBulkActions }) => paymentBulkActions,
    scope: 'payments:write',
    actions: ['refund', 'void'],
    takesFilter: false,
  },
  plans: {
    in: ({ planBulkActions }) => planBulkActions,
    scope: 'recurring:write',
    actions: ['cancel'],
    takesFilter: true,
  },
  deliveries: {
    in: ({ deliveryBulkActions }) => deliveryBulkActions,
    scope: 'webhooks:write',
    actions: ['redeliver'],
    takesFilter: true,
  },
}

export function targetOfAction(action: string): BulkTarget | undefined {
  const targets: readonly BulkTarget[] = ['orders', 'plans', 'deliveries']
  return targets.find((target) => BULK_TARGETS[target].actions.includes(action))
}

export interface Selection {
  readonly action: string
  readonly ids: readonly string[]
  readonly filter: string
}
