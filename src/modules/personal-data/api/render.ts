import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import type { ErasureCheck } from '../erasing/check-erasure.ts'
import type { Erasure } from '../model/erasure.ts'
import type { RetentionSettings } from '../retention/retention-settings.ts'
import type { LegalHold } from '../storage/hold.repository.ts'
import type {
  ErasureCheckData,
  ErasureData,
  ErasureSchema,
  LegalHoldData,
  LegalHoldSchema,
  RetentionData,
} from './schemas.ts'

export function renderCheck(check: ErasureCheck): Static<typeof ErasureCheckData> {
  return {
    erasure_check: {
      can_be_erased: check.canBeErased,
      blockers: check.blockers.map((blocker) => ({ ...blocker, ids: [...blocker.ids] })),
      legal_hold: check.hold === undefined ? null : renderHold(check.hold),
      found: check.found.map(({ table, rows, isMore }) => ({ table, rows, is_more: isMore })),
    },
  }
}

export function renderErasureData(erasure: Erasure): Static<typeof ErasureData> {
  return { erasure: renderErasure(erasure) }
}

export function renderErasuresPage(request: PageRequest, found: readonly Erasure[]) {
  const { rows, page } = renderPage(request, found, byCreation, renderErasure)
  return { erasures: rows, page }
}

function renderErasure(erasure: Erasure): Static<typeof ErasureSchema> {
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

export function renderHoldData(hold: LegalHold): Static<typeof LegalHoldData> {
  return { legal_hold: renderHold(hold) }
}

function renderHold(hold: LegalHold): Static<typeof LegalHoldSchema> {
  return {
    customer_uuid: hold.customerUuid,
    reason: hold.reason,
    placed_by: hold.placedBy,
    created_at: toRfc3339(hold.createdAt),
  }
}

export function renderRetention({ customerDays }: RetentionSettings): Static<typeof RetentionData> {
  return { retention: { customer_days: customerDays } }
}
