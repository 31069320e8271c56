import sql from 'sql-template-tag'
import type { Sql } from 'sql-template-tag'
import type { Database, Tx } from '#platform/database'

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

/**
 * Runs one statement of a verification, which goes over everything that a business has: as long as it takes, and never as
 * nested loops. The statistics, which a crash of the database loses, may say that a large table has hardly a row; then
 * sums over 12,000 orders took minutes instead of 60 ms.
 */
export async function findBreaches<Row extends object>(
  db: Database,
  businessId: string,
  statement: (tx: Tx) => Sql,
): Promise<Row[]> {
  return db.transact(businessId, async (tx) => {
    const [, rows] = await Promise.all([
      tx.query(
        sql`select set_config('enable_nestloop', 'off', true), set_config('statement_timeout', '0', true)`,
      ),
      tx.query<Row>(statement(tx)),
    ])
    return rows
  })
}

/** Each object's events count 1, 2, 3 … without a gap, and each has its document. */
export function verifyEvents(db: Database): Verification {
  return async function* eventLog(businessId) {
    const gaps = await findBreaches<{ object_id: string; events: bigint; last: number }>(
      db,
      businessId,
      () => sql`
        select object_id, count(*) as events, max(sequence) as last
          from events
         where business_id = ${businessId}
         group by object_id
        having count(*) <> max(sequence) or min(sequence) <> 1
         order by object_id
         limit 1000`,
    )
    for (const { object_id: object, events, last } of gaps) {
      yield {
        rule: 'event_sequence_without_gaps',
        business_id: businessId,
        object,
        detail: `${events} events, the last of which is number ${last}`,
      }
    }
    const withoutDocument = await findBreaches<{ id: string; bundle_id: string }>(
      db,
      businessId,
      () => sql`
        select e.id, e.bundle_id
          from events e
          left join event_bundles b on b.business_id = e.business_id and b.id = e.bundle_id
         where e.business_id = ${businessId} and e.bundle_id is not null and b.id is null
         order by e.id
         limit 1000`,
    )
    for (const { id: object, bundle_id: bundle } of withoutDocument) {
      yield {
        rule: 'event_has_its_document',
        business_id: businessId,
        object,
        detail: `its bundle ${bundle} is missing`,
      }
    }
  }
}
