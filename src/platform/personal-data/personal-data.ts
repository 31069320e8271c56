import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { replaceTerms, type TermIndex } from '#platform/search/term-index'

/**
 * - `names`: How modules name the customer: the uuid, the reference number, and what replaces it.
 * - `texts`: The texts to look for in free texts.
 * - `objects`: Selects the `id` of each object of the customer.
 */
export interface Subject {
  readonly uuid: string
  readonly names: readonly string[]
  readonly erasedName: string
  readonly texts: readonly string[]
  readonly objects: Sql
}

export interface Batch {
  readonly count: number
  readonly next: string | null
}

export interface ShownBatch {
  readonly rows: readonly string[]
  readonly next: string | null
}

/**
 * What one table holds of a customer.
 * - `read`: JSON texts for the export.
 * - `erase`: Absent where everything is kept. A batch that was erased may be erased again.
 * - `usesSharedTables`: As transactions say it.
 */
export interface PersonalSource {
  readonly table: string
  readonly read: (tx: Tx, subject: Subject, after: string) => Promise<ShownBatch>
  readonly erase?: (tx: Tx, subject: Subject, after: string) => Promise<Batch>
  readonly usesSharedTables?: boolean
}

/** - `blockers`: Statements by reason, which select the `id` of what forbids an erasure now. */
export interface PersonalData {
  readonly sources: readonly PersonalSource[]
  readonly objects?: (businessId: string, subject: Pick<Subject, 'uuid' | 'names'>) => Sql
  readonly blockers?: Readonly<
    Record<string, (businessId: string, subject: Pick<Subject, 'uuid' | 'names'>) => Sql>
  >
}

/** - `row`: The columns that are rewritten, as they were. */
type Rewrite = (text: string, subject: Subject, row: Readonly<Record<string, string | null>>) => string

interface PersonalRows {
  readonly table: string
  readonly key: Sql
  readonly where: (businessId: string, subject: Subject) => Sql
  readonly hidden?: readonly string[]
  readonly set?: ((subject: Subject) => Sql) | 'delete'
  readonly rewritten?: Readonly<Record<string, readonly [type: 'text' | 'json' | 'jsonb', Rewrite]>>
  readonly terms?: TermIndex
}

const BATCH = 200
const READ_BATCH = 500

export function personalRows(spec: PersonalRows): PersonalSource {
  const { table, set, rewritten } = spec
  const isErased = set !== undefined || rewritten !== undefined
  return {
    table,
    read: (tx, subject, after) => readRows(tx, spec, subject, after),
    ...(isErased && {
      erase: (tx: Tx, subject: Subject, after: string) => eraseRows(tx, spec, subject, after),
    }),
  }
}

async function readRows(
  tx: Tx,
  { table, key, where, hidden = [] }: PersonalRows,
  subject: Subject,
  after: string,
): Promise<ShownBatch> {
  const rows = await tx.query<{ key: string; shown: string }>(sql`
    select ${key} as key, (to_jsonb(t) - ${['business_id', ...hidden]}::text[])::text as shown
      from ${raw(table)} t
     where t.business_id = ${tx.businessId} and (${where(tx.businessId, subject)}) and ${key} > ${after}
     order by 1 limit ${READ_BATCH}`)
  return { rows: rows.map(({ shown }) => shown), next: nextOf(rows, READ_BATCH) }
}

async function eraseRows(
  tx: Tx,
  { table, key, where, set, rewritten = {}, terms }: PersonalRows,
  subject: Subject,
  after: string,
): Promise<Batch> {
  const columns = Object.entries(rewritten)
  const texts = columns.map(([name]) => sql`, t.${raw(name)}::text as ${raw(name)}`)
  const rows = await tx.query<{ key: string } & Record<string, string | null>>(sql`
    select ${key} as key ${texts.length === 0 ? empty : join(texts, ' ')}
      from ${raw(table)} t
     where t.business_id = ${tx.businessId} and (${where(tx.businessId, subject)}) and ${key} > ${after}
     order by 1 limit ${BATCH} for update`)
  if (rows.length === 0) return { count: 0, next: null }
  const keys = rows.map((row) => row.key)
  if (set === 'delete') {
    await tx.execute(sql`
      delete from ${raw(table)} t where t.business_id = ${tx.businessId} and ${isOneOf(key, keys)}`)
  } else {
    const assigned = columns.map(([name, [type]]) => sql`${raw(name)} = input.${raw(name)}::${raw(type)}`)
    if (set !== undefined) assigned.unshift(set(subject))
    const input = rowsAs<(typeof rows)[number]>('input', {
      row_key: ['text', (row) => row.key],
      ...Object.fromEntries(
        columns.map(([name, [, rewrite]]) => [
          name,
          ['text', (row: (typeof rows)[number]) => rewriteText(rewrite, row, name, subject)] as const,
        ]),
      ),
    })
    const update = () =>
      tx.execute(sql`
        update ${raw(table)} t set ${join(assigned, ', ')} from ${input(rows)}
         where t.business_id = ${tx.businessId} and ${key} = input.row_key`)
    await (terms === undefined ? update() : replaceTerms(tx, terms, keys, update, subject.texts))
  }
  return { count: rows.length, next: nextOf(rows, BATCH) }
}

function rewriteText(
  rewrite: Rewrite,
  row: Readonly<Record<string, string | null>>,
  column: string,
  subject: Subject,
): string | null {
  const text = row[column] ?? null
  return text === null ? null : rewrite(text, subject, row)
}

function nextOf(rows: readonly { readonly key: string }[], limit: number): string | null {
  return rows.length < limit ? null : (rows.at(-1)?.key ?? null)
}
