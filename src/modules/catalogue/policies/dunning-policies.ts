import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import { editMetadata } from '#platform/http/validation/metadata'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { CatalogueContext } from '../context.ts'
import { referenceTaken } from '../requests/reference-taken.ts'
import { errors } from '../errors.ts'
import type { DunningPolicy, DunningPolicyEvent } from '../model/dunning-policy.ts'
import type { DunningPolicyEdit, NewDunningPolicy } from '../model/dunning-policy-requests.ts'
import {
  DUNNING_POLICY_FIELDS,
  findDunningPolicies,
  findDunningPolicy,
  findDunningPolicyIdByReference,
  insertDunningPolicy,
  listDunningPolicies,
  lockDunningPolicy,
  updateDunningPolicy,
} from '../storage/dunning-policy.repository.ts'
import { membersOf, readPolicy } from './read-policy.ts'

const METADATA = 'dunning_policy.metadata'

export function createDunningPolicy(
  ctx: CatalogueContext,
  caller: Caller,
  request: NewDunningPolicy,
): Promise<DunningPolicy> {
  return once(ctx.db, caller, async (tx) => {
    const policy: DunningPolicy = {
      id: newId('dpo'),
      name: request.name,
      ...readPolicy(request),
      referenceId: request.reference_id ?? null,
      metadata: editMetadata(null, request.metadata, METADATA),
      createdAt: tx.now,
      updatedAt: tx.now,
    }
    if (!(await insertDunningPolicy(tx, policy))) {
      throw referenceTaken(
        'dunning_policy',
        await findDunningPolicyIdByReference(tx, request.reference_id ?? ''),
      )
    }
    await recordEvent(ctx, tx, 'dunning_policy.created', policy)
    return policy
  })
}

export function editDunningPolicy(
  ctx: CatalogueContext,
  caller: Caller,
  id: string,
  edit: DunningPolicyEdit,
): Promise<DunningPolicy> {
  return once(ctx.db, caller, async (tx) => {
    const before = await lockDunningPolicy(tx, id)
    if (before === undefined) throw errors.dunning_policy_not_found()
    const policy: DunningPolicy = {
      ...before,
      name: edit.name ?? before.name,
      ...readPolicy({ ...membersOf(before), ...edit }),
      metadata: editMetadata(before.metadata, edit.metadata, METADATA),
      updatedAt: tx.now,
    }
    await updateDunningPolicy(tx, policy)
    await recordEvent(ctx, tx, 'dunning_policy.updated', policy)
    return policy
  })
}

export async function dunningPolicyById(
  ctx: CatalogueContext,
  caller: Caller,
  id: string,
): Promise<DunningPolicy> {
  const policy = await findDunningPolicy(ctx.db, caller.businessId, id)
  if (policy === undefined) throw errors.dunning_policy_not_found()
  return policy
}

export async function dunningPoliciesOfPage(
  ctx: CatalogueContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<DunningPolicy[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition =
    filter === undefined ? undefined : filterCondition(filter, DUNNING_POLICY_FIELDS, timeZone)
  return listDunningPolicies(ctx.db, businessId, condition, request)
}

export async function policyOfPlan(tx: Tx, id: string | null | undefined): Promise<DunningPolicy | null> {
  if (id == null) return null
  const policy = (await findDunningPolicies(tx, [id])).get(id)
  if (policy === undefined) throw errors.dunning_policy_not_found({ param: 'plan.dunning_policy_id' })
  return policy
}

async function recordEvent(
  ctx: CatalogueContext,
  tx: Tx,
  type: DunningPolicyEvent,
  policy: DunningPolicy,
): Promise<void> {
  const data = ctx.present.dunningPolicy(policy)
  await ctx.events.append(tx, [{ type, objectId: policy.id, timestamp: tx.now, data }])
}
