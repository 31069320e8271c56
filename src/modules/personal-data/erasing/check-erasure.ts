import sql from 'sql-template-tag'
import { type Customer, customerErasure } from '#modules/customers'
import type { Tx } from '#platform/postgres/database'
import type { PersonalDataDependencies } from '../dependencies.ts'
import { findHold } from '../storage/hold.repository.ts'
import type { Blocker } from './erasure.ts'
import { subjectOf } from './subject.ts'

const MAX_IDS = 5

export async function findBlockers(
  { data }: Pick<PersonalDataDependencies, 'data'>,
  tx: Tx,
  customer: Customer,
): Promise<Blocker[]> {
  const subject = subjectOf(data, tx.businessId, { ...customer, texts: [] })
  const hold = await findHold(tx, customer.uuid)
  const blockers: Blocker[] = hold === undefined ? [] : [{ reason: 'legal_hold', ids: [customer.uuid] }]
  for (const [reason, select] of data.flatMap(({ blockers: own = {} }) => Object.entries(own))) {
    const rows = await tx.query<{ id: string }>(sql`
      select id from (${select(tx.businessId, subject)}) b order by id limit ${MAX_IDS}`)
    if (rows.length > 0) blockers.push({ reason, ids: rows.map(({ id }) => id) })
  }
  return blockers
}

export interface Found {
  readonly table: string
  readonly rows: number
  readonly isMore: boolean
}

export async function findWhatIsKept(
  { data }: Pick<PersonalDataDependencies, 'data'>,
  tx: Tx,
  customer: Customer,
): Promise<Found[]> {
  const texts = await customerErasure.personalTexts(tx, customer)
  const subject = subjectOf(data, tx.businessId, { ...customer, texts })
  const found: Found[] = []
  for (const { table, read } of data.flatMap(({ sources }) => sources)) {
    const { rows, next } = await read(tx, subject, '')
    if (rows.length > 0) found.push({ table, rows: rows.length, isMore: next !== null })
  }
  return found
}
