import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import type { NamedHit } from '../name-hits.ts'
import type { SearchData, SearchResultSchema } from './schemas.ts'

export function renderHits(hits: readonly NamedHit[]): Static<typeof SearchData> {
  return { results: hits.map(renderHit) }
}

function renderHit(hit: NamedHit): Static<typeof SearchResultSchema> {
  return {
    type: hit.type,
    id: hit.id,
    parent_id: hit.parentId,
    title: hit.title,
    subtitle: hit.subtitle,
    reference: hit.reference ?? null,
    customer: hit.customer,
    amount: hit.amount?.toString() ?? null,
    currency: hit.amount?.currency ?? null,
    state: hit.state,
    created_at: toRfc3339(hit.createdAt),
    match: hit.match,
  }
}
