import sql, { type Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { type Metadata, storedMetadata } from '#platform/http/validation/metadata'
import type { Database, Tx } from '#platform/postgres/database'
import { json, named, table } from '#platform/postgres/table'
import { type BankStatement, STATEMENT_FORMATS } from '../model/bank-entry.ts'

const STATEMENTS = table<BankStatement>('s', {
  id: 'text',
  format: 'text',
  entries: 'integer',
  added: named('new_entries', 'integer'),
  matched: 'integer',
  unmatched: 'integer',
  countedLater: 'integer',
  referenceId: 'text',
  metadata: json(),
  createdAt: 'timestamptz',
})

export const STATEMENT_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`s.id`, prefix: true },
  reference_id: { type: 'text', column: sql`s.reference_id`, prefix: true },
  format: { type: 'enum', column: sql`s.format`, values: STATEMENT_FORMATS },
  created_at: { type: 'time', column: sql`s.created_at` },
}

export async function insertStatement(
  tx: Tx,
  { id, format, entries }: Pick<BankStatement, 'id' | 'format' | 'entries'>,
): Promise<void> {
  await tx.execute(sql`
    insert into bank_statements (business_id, id, format, entries, created_at)
    values (${tx.businessId}, ${id}, ${format}, ${entries}, ${toRfc3339(tx.now)})`)
}

export async function addToStatement(
  tx: Tx,
  id: string,
  { matched, unmatched, countedLater }: Pick<BankStatement, 'matched' | 'unmatched' | 'countedLater'>,
): Promise<void> {
  await tx.execute(sql`
    update bank_statements
       set new_entries = new_entries + ${matched + unmatched}::integer, matched = matched + ${matched}::integer,
           unmatched = unmatched + ${unmatched}::integer,
           counted_later = counted_later + ${countedLater}::integer
     where business_id = ${tx.businessId} and id = ${id}`)
}

export async function nameStatement(
  tx: Tx,
  id: string,
  { referenceId, metadata }: { readonly referenceId: string | null; readonly metadata: Metadata },
): Promise<BankStatement> {
  const [row] = await tx.query(sql`
    update bank_statements s set reference_id = ${referenceId}, metadata = ${storedMetadata(metadata)}::jsonb
     where s.business_id = ${tx.businessId} and s.id = ${id}
    returning ${STATEMENTS.columns}`)
  if (row === undefined) throw new Error(`there is no bank statement ${id}`)
  return STATEMENTS.read(row)
}

export async function findStatementIdByReference(tx: Tx, referenceId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from bank_statements where business_id = ${tx.businessId} and reference_id = ${referenceId}`)
  return row?.id
}

export async function findStatement(
  db: Database,
  businessId: string,
  id: string,
): Promise<BankStatement | undefined> {
  const [row] = await db.read(
    businessId,
    sql`select ${STATEMENTS.columns} from bank_statements s where s.business_id = ${businessId} and s.id = ${id}`,
  )
  return row && STATEMENTS.read(row)
}

export async function listStatements(
  db: Database,
  businessId: string,
  filter: Sql | undefined,
  page: PageRequest,
): Promise<BankStatement[]> {
  const rows = await readFiltered(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${STATEMENTS.columns} from bank_statements s
       where s.business_id = ${businessId} and ${condition}
       ${rowsOfPage(page, sql`s.created_at`, sql`s.id`)}`,
  )
  return rows.map(STATEMENTS.read)
}
