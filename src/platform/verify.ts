import sql, { type Sql } from 'sql-template-tag'
import type { Database, Tx } from '#platform/postgres/database'
import { eventsWithoutDocument } from '#platform/events/event-documents'

/** A rule that does not hold, as `quittance verify` prints it (decisions, section 10). */
export interface Breach {
  /** Stable snake_case word. */
  readonly rule: string
  readonly business_id: string
  /** The id of the thing that breaks the rule. */
  readonly object: string
  readonly detail: string
}

/** Checks one business; modules have one each. */
export type Verification = (businessId: string) => AsyncIterable<Breach>

/** Breaches of one rule that are told of a business: enough to see what is wrong. */
const MAX_BREACHES_PER_RULE = 1_000

/** What rules forbid, by their names: statements that select `object` and `detail` of all that breaks them in one business. */
export type Rules = Readonly<Record<string, (businessId: string) => Sql>>

/** Checks rules one after the other. */
export async function* brokenRules(db: Database, businessId: string, rules: Rules): AsyncGenerator<Breach> {
  for (const [rule, select] of Object.entries(rules)) yield* await findBreaches(db, businessId, rule, select)
}

/**
 * A statement of a rule goes over everything that the business has: as long as it takes, and never as nested loops. The
 * statistics, which a crash of the database loses, may say that a large table has hardly a row; then sums over 12,000
 * orders took minutes instead of 60 ms.
 */
async function findBreaches(
  db: Database,
  businessId: string,
  rule: string,
  select: Rules[string],
): Promise<Breach[]> {
  const look = async (tx: Tx): Promise<Breach[]> => {
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
  return db.transact(businessId, look, { isUnbounded: true })
}

/**
 * Of what a look found, what an earlier one had found already. Beside a running service a payment may end between the look
 * at the books and the one at its row; what is really broken still is a moment later, by another amount perhaps.
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

/** Each object's events count 1, 2, 3 … without a gap, and each has its document. */
export function verifyEvents(db: Database): Verification {
  return async function* events(businessId) {
    yield* brokenRules(db, businessId, EVENT_RULES)
    const unreadable = await eventsWithoutDocument(db, businessId)
    yield* brokenRules(db, businessId, { event_has_its_document: () => unreadable })
  }
}
