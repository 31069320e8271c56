import { type Instant, isAfter, realClock } from '#kernel/clock'
import type { Dispute } from '#modules/disputes'
import type { AcquirerTransaction } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { ReconciliationDependencies } from '../dependencies.ts'
import type { Entry } from '../model/entry.ts'
import {
  findEntries,
  insertEntries,
  takenTransactions,
  withdrawnDisputes,
} from '../storage/entry.repository.ts'
import { reconciliationsOfDays } from '../storage/reconciliation.repository.ts'
import type { Movement, Run } from '../storage/run.repository.ts'
import { recordTotals } from './record-totals.ts'
import { dayOf } from './store-entries.ts'

const PAGE = 500
/** Disputes are opened within 120 days of the payment, and decided within some months. */
const LOST_DAYS = 400

export async function findMissingMovements(
  deps: ReconciliationDependencies,
  tx: Tx,
  { accountId, lastMovement, movementsUntil }: Run,
): Promise<Movement | null> {
  const read = await deps.payments.movementsOf(tx, accountId, { after: lastMovement, limit: PAGE })
  const page = read.flatMap((transaction) => {
    const { succeededAt, id } = transaction
    if (succeededAt === null || movementsUntil === null || isAfter(succeededAt, movementsUntil)) return []
    return [{ transaction, succeededAt, id }]
  })
  const taken = await takenTransactions(
    tx,
    page.map(({ id }) => id),
  )
  const missing = page
    .filter(({ id }) => !taken.has(id))
    .map(({ transaction, succeededAt }) => missingTransaction(transaction, succeededAt))
  await storeMissing(deps, tx, accountId, missing)
  const last = page.at(-1)
  return last === undefined || page.length < PAGE ? null : { succeededAt: last.succeededAt, id: last.id }
}

export async function findMissingDisputes(
  deps: ReconciliationDependencies,
  tx: Tx,
  { accountId, cursor, connectedAt }: Run,
): Promise<string | null> {
  const oldest = realClock.now().subtract({ hours: 24 * LOST_DAYS })
  const createdAfter = isAfter(connectedAt, oldest) ? connectedAt : oldest
  const page = await deps.disputes.listLost(tx, accountId, {
    createdAfter,
    afterId: cursor ?? '',
    limit: PAGE,
  })
  const withdrawn = await withdrawnDisputes(
    tx,
    page.map(({ id }) => id),
  )
  await storeMissing(deps, tx, accountId, page.filter(({ id }) => !withdrawn.has(id)).map(missingDispute))
  return page.length < PAGE ? null : (page.at(-1)?.id ?? null)
}

type MissingEntry = Omit<Entry, 'reconciliationId' | 'foundAt'>

async function storeMissing(
  deps: ReconciliationDependencies,
  tx: Tx,
  accountId: string,
  missing: readonly MissingEntry[],
): Promise<void> {
  if (missing.length === 0) return
  const days = [...new Set(missing.map(({ createdAt }) => dayOf(createdAt)))]
  const [byDay, stored] = await Promise.all([
    reconciliationsOfDays(tx, accountId, days),
    findEntries(
      tx,
      accountId,
      missing.map(({ id }) => id),
    ),
  ])
  const foundAt = realClock.now()
  const added = missing
    .filter(({ id }) => !stored.has(id))
    .map((entry): Entry => ({ ...entry, reconciliationId: byDay.get(dayOf(entry.createdAt)) ?? '', foundAt }))
  await insertEntries(tx, accountId, added)
  await recordTotals(deps, tx, added, [])
}

function missingTransaction(
  { id, orderNumber, type, amount, gatewayTransactionId }: AcquirerTransaction,
  succeededAt: Instant,
): MissingEntry {
  return {
    ...absentLine(id, succeededAt, amount.currency, amount.minor),
    type: type === 'Refund' ? 'refund' : 'payment',
    reference: gatewayTransactionId,
    transactionId: id,
    orderNumber,
    disputeId: null,
  }
}

function missingDispute({ id, createdAt, amount, reference, transaction }: Dispute): MissingEntry {
  return {
    ...absentLine(id, createdAt, amount.currency, -amount.minor),
    type: 'dispute',
    reference,
    transactionId: null,
    orderNumber: transaction?.orderNumber ?? null,
    disputeId: id,
  }
}

function absentLine(id: string, createdAt: Instant, currency: string, minor: bigint) {
  return {
    id,
    result: 'missing_there',
    acquirerType: '',
    currency,
    grossMinor: minor,
    feeMinor: 0n,
    netMinor: minor,
    paid: null,
    expected: null,
    movedAt: null,
    createdAt,
    availableAt: null,
  } as const
}
