import sql, { type Sql } from 'sql-template-tag'
import type { Database, Tx } from '#platform/postgres/database'
import { eventsWithoutDocument } from '#platform/events/event-documents'

export interface Breach {
  readonly rule: string
  readonly business_id: string
  readonly object: string
  readonly detail: string
}

export type Verification = (businessId: string) => AsyncIterable<Breach>

const MAX_BREACHES_PER_RULE = 1_000

/** Statements by rule, which select `object` and `detail` of every breach in one business. */
export type Rules = Readonly<Record<string, (businessId: string) => Sql>>

export async function* brokenRules(db: Database, businessId: string, rules: Rules): AsyncGenerator<Breach> {
  for (const [rule, select] of Object.entries(rules)) yield* await findBreaches(db, businessId, rule, select)
}

/**
 * The statement reads all rows of the business, so it runs without a timeout. It also runs without nested
 * loops: after a crash of the database, statistics may show a large table as empty, and sums over 12,000
 * orders took minutes instead of 60 ms.
 */
async function findBreaches(
  db: Database,
  businessId: string,
  rule: string,
  select: Rules[string],
): Promise<Breach[]> {
  const read = async (tx: Tx): Promise<Breach[]> => {
    const [, rows] = await Promise.all([
      tx.query(
        sql`select set_config('enable_nestloop', 'off', true), set_config('statement_timeout', '0', true)`,
      ),
      tx.query<{ object: string; detail: string }>(sql`
        select object, detail from (${select(businessId)}) as breach
         order by object, detail limit ${MAX_BREACHES_PER_RULE}`),
    ])
    return rows.map((row) => ({ rule, business_id: businessId, ...row }))
  }
  return db.transact(businessId, read, { isUnbounded: true })
}

/**
 * The breaches that an earlier check found too. While a service runs, a payment may end between two reads of
 * one check; a real breach is still there a moment later, perhaps with another amount.
 */
export function stillBroken(earlier: readonly Breach[], found: readonly Breach[]): Breach[] {
  const nameOf = ({ rule, business_id, object }: Breach) => JSON.stringify([rule, business_id, object])
  const known = new Set(earlier.map(nameOf))
  return found.filter((breach) => known.has(nameOf(breach)))
}

const EVENT_RULES: Rules = {
  event_sequence_without_gaps: (businessId) => sql`
    select object_id as object, count(*) || ' events, the last of which is number ' || max(sequence) as detail
      from events
     where business_id = ${businessId}
     group by object_id
    having count(*) <> max(sequence) or min(sequence) <> 1`,
}

export function verifyEvents(db: Database): Verification {
  return async function* events(businessId) {
    yield* brokenRules(db, businessId, EVENT_RULES)
    const unreadable = await eventsWithoutDocument(db, businessId)
    yield* brokenRules(db, businessId, { event_has_its_document: () => unreadable })
  }
}
