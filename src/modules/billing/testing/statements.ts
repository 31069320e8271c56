import type { Sql } from 'sql-template-tag'
import { vi } from 'vitest'
import type { Database, Tx } from '#platform/postgres/database'

export async function statementsOf(
  db: Database,
  table: string,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const transact = db.transact.bind(db)
  const texts: string[] = []
  const noted = (statement: Sql) => {
    if (statement.sql.includes(table)) texts.push(statement.sql)
    return statement
  }
  const spy = vi.spyOn(db, 'transact').mockImplementation((businessId, run, options) =>
    transact(
      businessId,
      (tx) =>
        run({
          businessId: tx.businessId,
          now: tx.now,
          clockOffsetMs: tx.clockOffsetMs,
          query: <Row extends object>(statement: Sql) => tx.query<Row>(noted(statement)),
          execute: (statement) => tx.execute(noted(statement)),
          defer: (sent) => tx.defer(sent),
        } satisfies Tx),
      options,
    ),
  )
  await work()
  spy.mockRestore()
  return texts
}
