import sql, { type Sql } from 'sql-template-tag'
import { instantOf, rfc3339OrNull } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { json, table } from '#platform/postgres/table'
import type { DunningPolicy, DunningProgress } from '../model/dunning-policy.ts'
import type { StepMembers } from '../model/dunning-policy-requests.ts'
import { membersOfStep, stepOf } from '../model/step-members.ts'

interface StoredProgress {
  decline_code: string | null
  step: number
  waits: boolean
  early_from: string | null
}

interface StoredSoft {
  decline_codes: readonly string[]
  steps: readonly StepMembers[]
}

const POLICIES = table<DunningPolicy>('d', {
  id: 'text',
  name: 'text',
  steps: {
    type: 'json',
    read: (text: string) => (JSON.parse(text) as StepMembers[]).map(stepOf),
    write: (steps) => JSON.stringify(steps.map(membersOfStep)),
  },
  soft: {
    type: 'json',
    read: (text: string) =>
      (JSON.parse(text) as StoredSoft[]).map(({ decline_codes: declineCodes, steps }) => ({
        declineCodes,
        steps: steps.map(stepOf),
      })),
    write: (soft) =>
      JSON.stringify(
        soft.map(({ declineCodes, steps }): StoredSoft => ({
          decline_codes: declineCodes,
          steps: steps.map(membersOfStep),
        })),
      ),
  },
  hard: 'text',
  newToken: 'text',
  exhausted: 'text',
  reminders: json(),
  referenceId: 'text',
  metadata: json(),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})

const CHANGED = POLICIES.without('id', 'referenceId', 'createdAt')

export const DUNNING_POLICY_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`d.id`, prefix: true },
  reference_id: { type: 'text', column: sql`d.reference_id`, prefix: true },
  created_at: { type: 'time', column: sql`d.created_at` },
}

export async function insertDunningPolicy(tx: Tx, policy: DunningPolicy): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into dunning_policies ${POLICIES.values(tx.businessId, [policy])}
    on conflict (business_id, reference_id) do nothing`)
  return inserted === 1
}

export async function updateDunningPolicy(tx: Tx, policy: DunningPolicy): Promise<void> {
  await tx.execute(sql`
    update dunning_policies set ${CHANGED.set(policy)}
     where business_id = ${tx.businessId} and id = ${policy.id}`)
}

export async function findDunningPolicy(
  db: Database,
  businessId: string,
  id: string,
): Promise<DunningPolicy | undefined> {
  const [row] = await db.read(
    businessId,
    sql`select ${POLICIES.columns} from dunning_policies d where d.business_id = ${businessId} and d.id = ${id}`,
  )
  return row && POLICIES.read(row)
}

export async function findDunningPolicies(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DunningPolicy>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query(sql`
    select ${POLICIES.columns} from dunning_policies d
     where d.business_id = ${tx.businessId} and ${isOneOf(sql`d.id`, [...new Set(ids)])}`)
  return new Map(rows.map(POLICIES.read).map((policy) => [policy.id, policy]))
}

export async function lockDunningPolicy(tx: Tx, id: string): Promise<DunningPolicy | undefined> {
  const [row] = await tx.query(sql`
    select ${POLICIES.columns} from dunning_policies d
     where d.business_id = ${tx.businessId} and d.id = ${id} for no key update`)
  return row && POLICIES.read(row)
}

export async function findDunningPolicyIdByReference(
  tx: Tx,
  referenceId: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from dunning_policies where business_id = ${tx.businessId} and reference_id = ${referenceId}`)
  return row?.id
}

export async function listDunningPolicies(
  db: Database,
  businessId: string,
  filter: Sql | undefined,
  page: PageRequest,
): Promise<DunningPolicy[]> {
  const rows = await readFiltered(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${POLICIES.columns} from dunning_policies d
       where d.business_id = ${businessId} and ${condition}
       ${rowsOfPage(page, sql`d.created_at`, sql`d.id`)}`,
  )
  return rows.map(POLICIES.read)
}

export function storedProgress(progress: DunningProgress | null): string | null {
  if (progress === null) return null
  const { declineCode, step, waits, earlyFrom } = progress
  const stored: StoredProgress = {
    decline_code: declineCode,
    step,
    waits,
    early_from: rfc3339OrNull(earlyFrom),
  }
  return JSON.stringify(stored)
}

export function readProgress(text: string | null): DunningProgress | null {
  if (text === null) return null
  const { decline_code, step, waits, early_from } = JSON.parse(text) as StoredProgress
  return {
    declineCode: decline_code,
    step,
    waits,
    earlyFrom: early_from === null ? null : instantOf(early_from),
  }
}
