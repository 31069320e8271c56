import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import { editMetadata } from '#platform/http/validation/metadata'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { TaxesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { LegalEntity, LegalEntityWithGaps } from '../model/legal-entity.ts'
import type { LegalEntityEdit, NewLegalEntity } from '../model/party-requests.ts'
import {
  findLegalEntity,
  findLegalEntityIdByReference,
  insertLegalEntity,
  LEGAL_ENTITY_FIELDS,
  listLegalEntities,
  lockLegalEntity,
  updateLegalEntity,
} from '../storage/legal-entity.repository.ts'
import { newLegalEntity, readLegalEntity } from './read-legal-entity.ts'

const METADATA = 'legal_entity.metadata'

export function createLegalEntity(
  ctx: TaxesContext,
  caller: Caller,
  request: NewLegalEntity,
): Promise<LegalEntityWithGaps> {
  return once(ctx.db, caller, async (tx) => {
    const entity: LegalEntityWithGaps = {
      id: newId('len'),
      ...newLegalEntity(request),
      referenceId: request.reference_id ?? null,
      metadata: editMetadata(null, request.metadata, METADATA),
      createdAt: tx.now,
      updatedAt: tx.now,
      gaps: [],
    }
    if (!(await insertLegalEntity(tx, entity))) {
      const id = await findLegalEntityIdByReference(tx, request.reference_id ?? '')
      throw platformErrors.reference_id_taken({
        param: 'legal_entity.reference_id',
        ...(id !== undefined && { data: { legal_entity: { id } } }),
      })
    }
    return entity
  })
}

export function editLegalEntity(
  ctx: TaxesContext,
  caller: Caller,
  id: string,
  edit: LegalEntityEdit,
): Promise<LegalEntityWithGaps> {
  return once(ctx.db, caller, async (tx) => {
    const before = await lockLegalEntity(tx, id)
    if (before === undefined) throw errors.legal_entity_not_found()
    const entity: LegalEntity = {
      ...before,
      ...readLegalEntity(edit, before),
      metadata: editMetadata(before.metadata, edit.metadata, METADATA),
      updatedAt: tx.now,
    }
    await updateLegalEntity(tx, entity)
    return withGaps(ctx, tx, entity)
  })
}

export function legalEntityById(
  ctx: TaxesContext,
  { businessId }: Caller,
  id: string,
): Promise<LegalEntityWithGaps> {
  return ctx.db.transact(businessId, async (tx) => {
    const entity = await findLegalEntity(tx, id)
    if (entity === undefined) throw errors.legal_entity_not_found()
    return withGaps(ctx, tx, entity)
  })
}

async function withGaps(ctx: TaxesContext, tx: Tx, entity: LegalEntity): Promise<LegalEntityWithGaps> {
  return { ...entity, gaps: await gapsOf(ctx, tx, [entity]) }
}

async function gapsOf({ gapReaders }: TaxesContext, tx: Tx, entities: readonly LegalEntity[]) {
  const ids = entities.map(({ id }) => id)
  return (await Promise.all(gapReaders.map((read) => read(tx, ids)))).flat()
}

export async function legalEntitiesOfPage(
  ctx: TaxesContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<LegalEntityWithGaps[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, LEGAL_ENTITY_FIELDS, timeZone)
  const entities = await listLegalEntities(ctx.db, businessId, condition, request)
  if (entities.length === 0) return []
  const gaps = await ctx.db.transact(businessId, (tx) => gapsOf(ctx, tx, entities))
  return entities.map((entity) => ({
    ...entity,
    gaps: gaps.filter(({ legalEntityId }) => legalEntityId === entity.id),
  }))
}
