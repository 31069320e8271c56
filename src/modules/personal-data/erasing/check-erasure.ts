import sql from 'sql-template-tag'
import { type Customer, customerErasure } from '#modules/customers'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import type { PersonalDataDependencies } from '../dependencies.ts'
import { findHold, type LegalHold } from '../storage/hold.repository.ts'
import type { Blocker } from '../model/erasure.ts'
import { personalTexts } from './personal-texts.ts'
import { subjectOf } from './subject.ts'

/** Of each table, to show where the erasure left something. */
const MAX_IDS = 5

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

export interface ErasureCheck {
  readonly canBeErased: boolean
  readonly blockers: readonly Blocker[]
  readonly hold: LegalHold | undefined
  readonly found: readonly Found[]
}

export function checkErasure(
  deps: Pick<PersonalDataDependencies, 'db' | 'data'>,
  { businessId }: Caller,
  uuid: string,
): Promise<ErasureCheck> {
  return deps.db.transact(businessId, async (tx) => {
    const customer = await customerErasure.lock(tx, uuid)
    const blockers = await findBlockers(deps, tx, customer)
    const hold = await findHold(tx, uuid)
    const found = await findWhatIsKept(deps, tx, customer)
    return { canBeErased: blockers.length === 0 && customer.erasedAt === null, blockers, hold, found }
  })
}

export async function findBlockers(
  { data }: Pick<PersonalDataDependencies, 'data'>,
  tx: Tx,
  customer: Customer,
): Promise<Blocker[]> {
  const subject = subjectOf(data, tx.businessId, { ...customer, texts: [] })
  const hold = await findHold(tx, customer.uuid)
  const blockers: Blocker[] = hold === undefined ? [] : [blocker('legal_hold', [customer.uuid])]
  for (const [reason, select] of data.flatMap(({ blockers: own = {} }) => Object.entries(own))) {
    const rows = await tx.query<{ id: string }>(sql`
      select id from (${select(tx.businessId, subject)}) b order by id limit ${MAX_IDS}`)
    if (rows.length > 0)
      blockers.push(
        blocker(
          reason,
          rows.map(({ id }) => id),
        ),
      )
  }
  return blockers
}

function blocker(reason: string, ids: readonly string[]): Blocker {
  return { reason, message: MESSAGES[reason] ?? reason, ids }
}

interface Found {
  readonly table: string
  readonly rows: number
  readonly isMore: boolean
}

async function findWhatIsKept(
  { data }: Pick<PersonalDataDependencies, 'data'>,
  tx: Tx,
  customer: Customer,
): Promise<Found[]> {
  const texts = await personalTexts(tx, customer)
  const subject = subjectOf(data, tx.businessId, { ...customer, texts })
  const found: Found[] = []
  for (const { table, read } of data.flatMap(({ sources }) => sources)) {
    const { rows, next } = await read(tx, subject, '')
    if (rows.length > 0) found.push({ table, rows: rows.length, isMore: next !== null })
  }
  return found
}
