import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { Database } from '#platform/postgres/database'
import { isUnreachable } from '#platform/postgres/database-errors'
import { migrate } from '#platform/postgres/migrations/migrate'
import { withOwnerConnection } from '#platform/postgres/owner-connection'
import { startDatabasePair } from './database-pair.ts'

const MAX_MS_UNTIL_WRITES = 15_000
const pair = await startDatabasePair()
afterAll(() => pair.stop())

const businessId = 'biz_pair'

async function write(db: Database, note: string): Promise<void> {
  await db.transact(businessId, (tx) =>
    tx.execute(sql`insert into notes (business_id, note) values (${businessId}, ${note})`),
  )
}

async function notes(db: Database): Promise<string[]> {
  const rows = await db.read<{ note: string }>(businessId, sql`select note from notes order by note`)
  return rows.map(({ note }) => note)
}

// Proves reference/operations#several-hosts.
test('when the primary falls silent under load, writes go on at the other host within 15 s, and all that was acknowledged is there', async () => {
  await migrate(pair.url)
  await withOwnerConnection(pair.url, async (owner) => {
    await owner.query(`insert into business_clocks (business_id, offset_ms) values ('${businessId}', 0)`)
    await owner.query(`
      create table notes (business_id text collate "C" not null, note text not null, primary key (business_id, note));
      select quittance_tenant_table('notes')`)
  })
  const moved: string[] = []
  const db = new Database({ url: pair.url, onNewPrimary: (host) => moved.push(host) })
  const acknowledged: string[] = []
  const refused: unknown[] = []
  let isDone = false
  const workers = Array.from({ length: 4 }, async (_, worker) => {
    for (let index = 0; !isDone; index++) {
      const note = `${worker}-${String(index).padStart(6, '0')}`
      await write(db, note).then(
        () => acknowledged.push(note),
        async (error: unknown) => {
          refused.push(error)
          await sleep(50)
        },
      )
    }
  })
  await sleep(300)
  const before = acknowledged.length
  const lostAtMs = performance.now()
  await pair.failOver({ hangs: true })
  const promotedWith = acknowledged.length
  while (acknowledged.length === promotedWith) await sleep(5)
  const writesAfterMs = performance.now() - lostAtMs
  await sleep(300)
  isDone = true
  await Promise.all(workers)
  const stored = new Set(await notes(db))
  await db.close()
  console.log(`writes after ${Math.round(writesAfterMs)} ms, ${refused.length} refused`)
  expect(before).toBeGreaterThan(0)
  expect(writesAfterMs).toBeLessThan(MAX_MS_UNTIL_WRITES)
  expect(acknowledged.filter((note) => !stored.has(note))).toEqual([])
  expect(refused.filter((error) => !isUnreachable(error))).toEqual([])
  expect(moved).toHaveLength(1)
})

test('a service that starts after a failover migrates the new primary, while the old one still says that it takes writes', async () => {
  expect(await migrate(pair.url)).toEqual([])
})
