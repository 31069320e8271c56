import sql, { type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { takeRefused } from './placements.ts'

// Proves reference/operations#citus.

const database = await createTestDatabase({ isPlain: true })
const { db } = database

const REFUSED: [does: string, reason: string, Sql][] = [
  ['reads', 'processes is on the coordinator alone', sql`select from processes`],
  [
    'reads in a subquery',
    'recoveries is on the coordinator alone',
    sql`select id from orders where id in (select id from recoveries)`,
  ],
  ['reads', 'receipt_numbers is on the coordinator: say usesSharedTables', sql`select from receipt_numbers`],
  [
    'writes',
    'api_keys is written on all nodes: say usesSharedTables',
    sql`update api_keys set last_used_at = null`,
  ],
  [
    'writes in a CTE',
    'users is written on all nodes: say usesSharedTables',
    sql`with gone as (delete from users returning id) select id from gone`,
  ],
  [
    'locks',
    'apps is written on all nodes: say usesSharedTables',
    sql`select from orders o join apps a on true for update`,
  ],
  [
    'reads past its shard',
    `public.orders is not the table of the tenant's shard`,
    sql`select from public.orders`,
  ],
  [
    'calls',
    'the function quittance_open_outcomes names tables and is not copied to shards',
    sql`select quittance_open_outcomes()`,
  ],
]

test.each(REFUSED)(
  'a statement of a tenant that %s what its node lacks fails: %s',
  async (_, reason, statement) => {
    const { businessId } = await createTestBusiness(database)
    const failure = {
      message: `Citus would refuse this statement of a tenant: ${reason}.\n${statement.text}`,
    }
    await expect(db.transact(businessId, (tx) => tx.query(statement))).rejects.toMatchObject(failure)
    await expect(db.transact(businessId, (tx) => tx.execute(statement))).rejects.toMatchObject(failure)
    await expect(db.read(businessId, statement)).rejects.toMatchObject(failure)
    await expect(db.autocommit(businessId, statement)).rejects.toMatchObject(failure)
    expect(takeRefused()).toEqual([failure.message])
  },
)

test('a transaction with shared tables reaches those of other nodes, and none that the coordinator keeps for itself', async () => {
  const { businessId } = await createTestBusiness(database)
  const run = (statement: Sql) =>
    db.transact(businessId, (tx) => tx.execute(statement), { usesSharedTables: true })
  await run(sql`update api_keys set last_used_at = null`)
  await run(sql`select from receipt_numbers`)
  await expect(run(sql`select from processes`)).rejects.toThrow('processes is on the coordinator alone')
  expect(takeRefused()).toHaveLength(1)
})

test('a statement of a tenant may read what every node has, and lock its own tables beside that', async () => {
  const { businessId } = await createTestBusiness(database)
  const statements = [
    sql`select from orders o join apps a on true for update of o`,
    sql`with processes as (select 1) select from processes`,
    sql`insert into next_runs (business_id, job, due_at) select b.business_id, 'j', now() from businesses b`,
  ]
  for (const statement of statements) await db.transact(businessId, (tx) => tx.execute(statement))
  expect(takeRefused()).toEqual([])
})
