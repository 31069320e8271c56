import sql, { type Sql } from 'sql-template-tag'
import { type Instant, instantOf, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { readMetadata, storedMetadata } from '#platform/http/validation/metadata'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import {
  type DunningPolicy,
  type DunningProgress,
  membersOfStep,
  type StepMembers,
  stepOf,
} from '../model/dunning-policy.ts'

interface PolicyRow {
  id: string
  name: string
  steps: string
  soft: string
  hard: DunningPolicy['hard']
  new_token: DunningPolicy['newToken']
  exhausted: DunningPolicy['exhausted']
  reminders: string
  reference_id: string | null
  metadata: string | null
  created_at: Instant
  updated_at: Instant
}

interface StoredProgress {
  decline_code: string | null
  step: number
  waits: boolean
  early_from: string | null
}

const COLUMNS = sql`d.id, d.name, d.steps::text, d.soft::text, d.hard, d.new_token, d.exhausted, d.reminders::text,
       d.reference_id, d.metadata, d.created_at, d.updated_at`

export const DUNNING_POLICY_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`d.id`, prefix: true },
  reference_id: { type: 'text', column: sql`d.reference_id`, prefix: true },
  created_at: { type: 'time', column: sql`d.created_at` },
}

export async function insertDunningPolicy(tx: Tx, policy: DunningPolicy): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into dunning_policies (business_id, id, name, steps, soft, hard, new_token, exhausted, reminders,
                                  reference_id, metadata, created_at, updated_at)
    values (${tx.businessId}, ${policy.id}, ${policy.name}, ${storedSteps(policy)}::text::jsonb,
            ${storedSoft(policy)}::text::jsonb, ${policy.hard}, ${policy.newToken}, ${policy.exhausted},
            ${JSON.stringify(policy.reminders)}::text::jsonb, ${policy.referenceId},
            ${storedMetadata(policy.metadata)}::jsonb, ${toRfc3339(policy.createdAt)}, ${toRfc3339(policy.updatedAt)})
    on conflict (business_id, reference_id) do nothing`)
  return inserted === 1
}

export async function updateDunningPolicy(tx: Tx, policy: DunningPolicy): Promise<void> {
  await tx.execute(sql`
    update dunning_policies
       set name = ${policy.name}, steps = ${storedSteps(policy)}::text::jsonb, soft = ${storedSoft(policy)}::text::jsonb,
           hard = ${policy.hard}, new_token = ${policy.newToken}, exhausted = ${policy.exhausted},
           reminders = ${JSON.stringify(policy.reminders)}::text::jsonb,
           metadata = ${storedMetadata(policy.metadata)}::jsonb, updated_at = ${toRfc3339(policy.updatedAt)}
     where business_id = ${tx.businessId} and id = ${policy.id}`)
}

export async function findDunningPolicy(
  db: Database,
  businessId: string,
  id: string,
): Promise<DunningPolicy | undefined> {
  const [row] = await db.read<PolicyRow>(
    businessId,
    sql`select ${COLUMNS} from dunning_policies d where d.business_id = ${businessId} and d.id = ${id}`,
  )
  return row && toPolicy(row)
}

export async function findDunningPolicies(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DunningPolicy>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<PolicyRow>(sql`
    select ${COLUMNS} from dunning_policies d
     where d.business_id = ${tx.businessId} and ${isOneOf(sql`d.id`, [...new Set(ids)])}`)
  return new Map(rows.map((row) => [row.id, toPolicy(row)]))
}

export async function lockDunningPolicy(tx: Tx, id: string): Promise<DunningPolicy | undefined> {
  const [row] = await tx.query<PolicyRow>(sql`
    select ${COLUMNS} from dunning_policies d
     where d.business_id = ${tx.businessId} and d.id = ${id} for no key update`)
  return row && toPolicy(row)
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
  const rows = await readFiltered<PolicyRow>(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${COLUMNS} from dunning_policies d
       where d.business_id = ${businessId} and ${condition}
       ${rowsOfPage(page, sql`d.created_at`, sql`d.id`)}`,
  )
  return rows.map(toPolicy)
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

function storedSteps({ steps }: DunningPolicy): string {
  return JSON.stringify(steps.map(membersOfStep))
}

function storedSoft({ soft }: DunningPolicy): string {
  return JSON.stringify(
    soft.map(({ declineCodes, steps }) => ({ decline_codes: declineCodes, steps: steps.map(membersOfStep) })),
  )
}

function toPolicy(row: PolicyRow): DunningPolicy {
  const soft = JSON.parse(row.soft) as { decline_codes: string[]; steps: StepMembers[] }[]
  return {
    id: row.id,
    name: row.name,
    steps: (JSON.parse(row.steps) as StepMembers[]).map(stepOf),
    soft: soft.map(({ decline_codes, steps }) => ({
      declineCodes: decline_codes,
      steps: steps.map(stepOf),
    })),
    hard: row.hard,
    newToken: row.new_token,
    exhausted: row.exhausted,
    reminders: JSON.parse(row.reminders) as number[],
    referenceId: row.reference_id,
    metadata: readMetadata(row.metadata),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
