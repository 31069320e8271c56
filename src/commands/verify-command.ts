import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '#kernel/clock'
import { SIMULATOR_NAME } from '#modules/acquirers'
import { OPERATOR_CHAIN, unfinishedActions, verifyAuditLog } from '#modules/audit-log'
import type { Businesses } from '#modules/businesses'
import { findNumberGaps } from '#modules/invoices'
import { verifyBooks } from '#modules/payments'
import type { Config } from '#platform/config'
import type { Database } from '#platform/postgres/database'
import { createLog } from '#platform/observability/log'
import { type Breach, stillBroken } from '#platform/verify'
import { withBooks } from './acquirer-books.ts'
import { verifications } from '../maintenance.ts'
import type { CommandResult, CommandContext } from './operator-command.ts'
import { type Progress, showProgress } from './terminal-progress.ts'

/** All are kept in memory until they are printed. */
const MAX_BREACHES = 10_000
/** A payment that ended between two reads of the first run has settled by the second. */
const SECOND_RUN_MS = 1_000
/** Goes to standard error, because the contract fixes the members of the printed object. */
const BOOKS_NOT_COMPARED = `The acquirer's books were not compared. Set SIMULATOR_URL to that of the service, or to the url in its log line "simulator is ready".`

export async function verify(context: CommandContext): Promise<CommandResult> {
  const progress = showProgress(context.terminal.stderr)
  try {
    return await verifyTwice(context, progress)
  } finally {
    progress.end()
  }
}

async function verifyTwice(
  { config, db, businesses }: CommandContext,
  progress: Progress,
): Promise<CommandResult> {
  const runOnce = () => findBreaches(config, db, businesses, progress)
  const first = await runOnce()
  const { tenants, comparedBooks, gaps } = first
  let { breaches } = first
  if (breaches.length > 0) {
    await sleep(SECOND_RUN_MS)
    breaches = stillBroken(breaches, (await runOnce()).breaches)
  }
  const warnings = [...(comparedBooks ? [] : [BOOKS_NOT_COMPARED]), ...unfinishedWarning(first.unfinished)]
  const warning = warnings.length === 0 ? {} : { warning: warnings.join('\n') }
  const named = gaps.length === 0 ? {} : { gaps }
  if (breaches.length > 0) {
    const json = { breaches, ...named }
    return { json, text: JSON.stringify(json, null, 2), ...warning, exitCode: 1 }
  }
  const agreed = comparedBooks ? ", and the acquirer's books agree" : ''
  return {
    json: { breaches, ...named },
    text: [`No rule is broken in ${tenants} tenants${agreed}.`, ...gaps.map(gapText)].join('\n'),
    ...warning,
  }
}

function unfinishedWarning(count: number): string[] {
  if (count === 0) return []
  return [`The audit log has ${count} actions without an end. It lists them as "started".`]
}

interface Gap {
  readonly business_id: string
  readonly legal_entity_id: string
  readonly type: 'credit_note' | 'invoice'
  readonly series: string
  readonly year?: number
  readonly from: number
  readonly to: number
  readonly reason: 'recovered'
}

async function findGaps(db: Database, businessId: string): Promise<Gap[]> {
  const found = await db.transact(businessId, (tx) => findNumberGaps(tx))
  return found.map(({ legalEntityId, type, series, year, from, to }) => ({
    business_id: businessId,
    legal_entity_id: legalEntityId,
    type,
    series,
    ...(year !== 0 && { year }),
    from: Number(from),
    to: Number(to),
    reason: 'recovered',
  }))
}

function gapText({ business_id, legal_entity_id, type, series, year, from, to }: Gap): string {
  const ofYear = year === undefined ? '' : ` of ${year}`
  const documents = type === 'invoice' ? 'invoices' : 'credit notes'
  return `After a recovery the numbers ${from} to ${to} of ${documents}${ofYear} were skipped in the series ${series} of ${legal_entity_id} (${business_id}).`
}

interface VerifyRun {
  readonly breaches: Breach[]
  readonly unfinished: number
  readonly tenants: number
  readonly gaps: readonly Gap[]
  readonly comparedBooks: boolean
}

async function findBreaches(
  config: Config,
  db: Database,
  businesses: Businesses,
  progress: Progress,
): Promise<VerifyRun> {
  const breaches: Breach[] = []
  const gaps: Gap[] = []
  const keep = async (reported: AsyncIterable<Breach>) => {
    for await (const breach of reported) if (breaches.length < MAX_BREACHES) breaches.push(breach)
  }
  const checks = verifications(db)
  const ids = await Array.fromAsync(tenantIds(businesses))
  for (const [index, businessId] of ids.entries()) {
    for (const [part, check] of checks.entries()) {
      progress.report(
        `Checking tenant ${index + 1} of ${ids.length} (${businessId}), part ${part + 1} of ${checks.length}`,
      )
      await keep(check(businessId))
    }
    gaps.push(...(await findGaps(db, businessId)))
  }
  await keep(verifyAuditLog(db)(OPERATOR_CHAIN))
  const unfinished = await countUnfinished(db, [...ids, OPERATOR_CHAIN])
  progress.report("Comparing the acquirer's books")
  const comparedBooks = await withBooks(config, createLog({ level: 'silent' }), async (books) => {
    // The tenants are listed after the books are read, because a business created meanwhile may already be in the books.
    if (books !== undefined) await keep(verifyBooks(db, tenantIds(businesses), books, SIMULATOR_NAME))
    return books !== undefined
  })
  return { breaches, unfinished, tenants: ids.length, gaps, comparedBooks }
}

async function countUnfinished(db: Database, chains: readonly string[]): Promise<number> {
  const before = realClock.now().subtract({ minutes: 1 })
  let count = 0
  for (const chain of chains) {
    count += await db.transact(chain, (tx) => unfinishedActions(tx, before), { isUnbounded: true })
  }
  return count
}

async function* tenantIds(businesses: Businesses): AsyncGenerator<string> {
  for await (const { businessId } of businesses.tenants()) yield businessId
}
