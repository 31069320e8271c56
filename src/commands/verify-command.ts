import { setTimeout as sleep } from 'node:timers/promises'
import { SIMULATOR_NAME } from '#modules/acquirers'
import type { Businesses } from '#modules/businesses'
import { verifyBooks } from '#modules/payments'
import type { Config } from '#platform/config'
import type { Database } from '#platform/postgres/database'
import { createLog } from '#platform/observability/log'
import { type Breach, stillBroken } from '#platform/verify'
import { withBooks } from './acquirer-books.ts'
import { verifications } from '../compose.ts'
import type { Result, Workplace } from './operator-command.ts'
import { type Progress, showProgress } from './terminal-progress.ts'

/** More breaches than these tell nobody more. */
const MAX_BREACHES = 10_000
const SECOND_LOOK_MS = 1_000
/** The contract gives the members of what is printed; so this stands beside it. */
const BOOKS_NOT_COMPARED = `The acquirer's books were not compared: set SIMULATOR_URL to the service's, or to the url of its line "simulator is ready".`

/** All rules over the whole database and the acquirer's books (decisions, section 10). */
export async function verify(place: Workplace): Promise<Result> {
  const progress = showProgress(process.stderr)
  try {
    return await lookUntilSure(place, progress)
  } finally {
    progress.end()
  }
}

async function lookUntilSure({ config, db, businesses }: Workplace, progress: Progress): Promise<Result> {
  const look = () => lookForBreaches(config, db, businesses, progress)
  const first = await look()
  const { tenants, comparedBooks } = first
  let { breaches } = first
  if (breaches.length > 0) {
    await sleep(SECOND_LOOK_MS)
    breaches = stillBroken(breaches, (await look()).breaches)
  }
  const warning = comparedBooks ? {} : { warning: BOOKS_NOT_COMPARED }
  if (breaches.length > 0) {
    process.exitCode = 1
    return { json: { breaches }, text: JSON.stringify({ breaches }, null, 2), ...warning }
  }
  const agreed = comparedBooks ? ", and the acquirer's books agree" : ''
  return {
    json: { breaches },
    text: `No rule is broken in ${tenants} tenants${agreed}.`,
    ...warning,
  }
}

/** What one look at all rules finds, in how many tenants, and whether there were books to look at. */
interface Look {
  readonly breaches: Breach[]
  readonly tenants: number
  readonly comparedBooks: boolean
}

async function lookForBreaches(
  config: Config,
  db: Database,
  businesses: Businesses,
  progress: Progress,
): Promise<Look> {
  const breaches: Breach[] = []
  const keep = async (found: AsyncIterable<Breach>) => {
    for await (const breach of found) if (breaches.length < MAX_BREACHES) breaches.push(breach)
  }
  const checks = verifications(db)
  const ids = await Array.fromAsync(tenantIds(businesses))
  for (const [before, businessId] of ids.entries()) {
    for (const [part, check] of checks.entries()) {
      progress.at(
        `Checking tenant ${before + 1} of ${ids.length} (${businessId}), part ${part + 1} of ${checks.length}`,
      )
      await keep(check(businessId))
    }
  }
  progress.at("Comparing the acquirer's books")
  const comparedBooks = await withBooks(config, createLog({ level: 'silent' }), async (books) => {
    // Who is in the books is asked after they were read: a business made since the look began may have booked by then.
    if (books !== undefined) await keep(verifyBooks(db, tenantIds(businesses), books, SIMULATOR_NAME))
    return books !== undefined
  })
  return { breaches, tenants: ids.length, comparedBooks }
}

async function* tenantIds(businesses: Businesses): AsyncGenerator<string> {
  for await (const { businessId } of businesses.tenants()) yield businessId
}
