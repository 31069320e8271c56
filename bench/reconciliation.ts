/**
 * A first reconciliation of an account with 100,000 lines, of which 4,000 are planted differences and fees, against an acquirer
 * behind HTTP. Prints the time and how far the heap grew, and fails unless everything planted is found in a minute.
 *
 * `node bench/reconciliation.ts [lines]`. Sets up a PostgreSQL of its own.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { migrate } from '#platform/postgres/migrations/migrate'
import { findByReferences, listLost } from '../src/modules/disputes/storage/dispute.repository.ts'
import {
  currenciesPaidAt,
  findByAcquirerReferences,
  movementsOf,
} from '../src/modules/payments/storage/acquirer-transaction.repository.ts'
import { reconciliationJob } from '../src/modules/reconciliation/run/reconciliation-job.ts'
import { onAccountCreated } from '../src/modules/reconciliation/run/start-runs.ts'
import { ACCOUNT, PlantedBooks } from '../src/modules/reconciliation/testing/planted-books.ts'
import {
  accountsWith,
  startSettlementServer,
} from '../src/modules/reconciliation/testing/settlement-server.ts'
import { withDatabase } from './support/database.ts'

const MAX_SECONDS = 60
const MAX_HEAP_GROWTH_MB = 64
const KINDS = ['matched', 'different_amount', 'missing_here', 'missing_there', 'fee'] as const
const MB = 1024 * 1024

const lines = Number(process.argv[2] ?? 100_000)
const from = realClock.now().subtract({ hours: 24 * 10 })
const books = new PlantedBooks({
  lines,
  every: 100,
  from,
  stepMs: Math.floor((24 * 9 * 3_600_000) / lines),
})

const dataDir = await mkdtemp(join(tmpdir(), 'quittance-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
const acquirer = await startSettlementServer(books)
const db = new PlainDatabase({ url: postgres.url })
try {
  await migrate(postgres.url)
  const holds = await withDatabase(postgres.url, (database) => measure(database))
  if (!holds) process.exitCode = 1
} finally {
  acquirer.stop()
  await db.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function measure(database: pg.Client): Promise<boolean> {
  const businessId = newId('biz')
  await database.query('insert into business_clocks (business_id) values ($1)', [businessId])
  await books.insertTransactions(database, businessId)
  const job = reconciliationJob({
    db,
    acquirers: accountsWith(acquirer),
    businesses: { profile: async () => ({ timeZone: 'Asia/Hong_Kong' }) },
    payments: { currenciesPaidAt, findByAcquirerReferences, movementsOf, newestAtSimulator: async () => [] },
    disputes: { findByReferences, listLost },
  })
  await db.transact(businessId, (tx) => onAccountCreated(tx, ACCOUNT))
  await database.query('update reconciliation_runs set connected_at = $1, due_at = now()', [
    from.subtract({ hours: 1 }).toString(),
  ])
  const before = heapAfterCollection()
  let peak = before
  const startedAt = performance.now()
  for (let handled = 1; handled > 0;) {
    const until = realClock.now()
    handled = await job.run({ businessId, until, timeOf: () => until })
    peak = Math.max(peak, heapAfterCollection())
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const growth = (peak - before) / MB
  console.log(
    `reconciliation of ${lines} lines: ${seconds.toFixed(1)} s (at most ${MAX_SECONDS}), ${acquirer.requests.length} requests; ` +
      `the heap grew by ${growth.toFixed(0)} MB (at most ${MAX_HEAP_GROWTH_MB})`,
  )
  return (await allFound(database)) && seconds <= MAX_SECONDS && growth <= MAX_HEAP_GROWTH_MB
}

function heapAfterCollection(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

async function allFound(database: pg.Client): Promise<boolean> {
  const { rows } = await database.query<{ result: string; ids: string[] }>(
    'select result, array_agg(id order by id) as ids from reconciliation_entries group by result',
  )
  const found = new Map(rows.map(({ result, ids }) => [result, ids]))
  const results = KINDS.map((kind) => {
    const planted = books.idsOf(kind)
    const holds = JSON.stringify(found.get(kind) ?? []) === JSON.stringify(planted)
    console.log(
      `${kind}: ${planted.length} planted, ${found.get(kind)?.length ?? 0} found${holds ? '' : ': DIFFERENT'}`,
    )
    return holds
  })
  return results.every(Boolean) && rows.length === KINDS.length
}
