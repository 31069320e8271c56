import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Blocker, Erasure } from '../erasing/erasure.ts'
import type { LegalHold } from '../storage/hold.repository.ts'

const MESSAGES: Readonly<Record<string, string>> = {
  legal_hold: 'The customer is under a legal hold.',
  bindings_under_way: 'A card or wallet is being bound.',
  open_orders: 'Orders can still be paid. Void them.',
  payments_under_way: 'The outcome of payments is open.',
  active_plans: 'Plans still bill the customer. Cancel them.',
  open_disputes: 'Disputes are not decided.',
  usable_cards: 'Issued cards can still be used. Terminate them.',
  wallet_balances: 'A wallet still holds money.',
}

export function renderBlockers(blockers: readonly Blocker[]): object[] {
  return blockers.map(({ reason, ids }) => ({ reason, message: MESSAGES[reason] ?? reason, ids }))
}

export function renderErasure(erasure: Erasure): object {
  return {
    id: erasure.id,
    customer_uuid: erasure.customerUuid,
    cause: erasure.cause,
    state: erasure.state,
    erased_rows: erasure.counts,
    created_at: toRfc3339(erasure.createdAt),
    completed_at: rfc3339OrNull(erasure.completedAt),
  }
}

export function renderHold(hold: LegalHold): object {
  return {
    customer_uuid: hold.customerUuid,
    reason: hold.reason,
    placed_by: hold.placedBy,
    created_at: toRfc3339(hold.createdAt),
  }
}
