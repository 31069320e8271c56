import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '#platform/observability/log'
import { createTestDatabase } from '#platform/testing/database'
import { eventually } from '#platform/testing/until'
import { ProcessRegistry } from './process-registry.ts'
import { Recoveries } from './recoveries.ts'

const { db, admin } = await createTestDatabase()
const logged: string[] = []
const log = createLog({ level: 'warn', destination: { write: (line) => void logged.push(line) } })

async function startProcess(newestMigration: string) {
  const contracted = Promise.withResolvers<string>()
  const recoveries = new Recoveries(db)
  const registry = new ProcessRegistry({
    db,
    recoveries,
    log,
    onContracted: contracted.resolve,
    beatMs: 20,
    newestMigration,
  })
  await registry.start()
  onTestFinished(() => registry.stop())
  return { contracted: contracted.promise, recoveries, registry }
}

// Proves reference/operations#side-by-side.
test('a running process notices a migration that it does not survive', async () => {
  const { contracted } = await startProcess('8999')
  await startProcess('9001')
  await admin.query(`insert into ran_migrations (name, sha256, needs) values ('9001_contracts', '', '9000')`)
  onTestFinished(
    async () => void (await admin.query(`delete from ran_migrations where name = '9001_contracts'`)),
  )
  expect(await contracted).toMatch(
    /^This version of Quittance knows migrations up to 8999, .* 9001_contracts/,
  )
})

test('a process is known while it is at work', async () => {
  const { registry } = await startProcess('7777')
  const count = async () =>
    (await admin.query(`select from processes where newest_migration = '7777' and seen_at > started_at`))
      .rowCount
  await eventually(count, (rows) => rows === 1)
  await registry.stop()
  expect(await count()).toBe(0)
})

// Proves reference/operations#recovery.
test('a database on another timeline is taken for one that came back from a backup, up to when it was last used', async () => {
  const { recoveries } = await startProcess('0065')
  expect(recoveries.periods()).toEqual([])
  await admin.query(`update recoveries set timeline = timeline - 1, id = 'before'`)
  await eventually(
    async () => recoveries.periods(),
    (periods) => periods.length === 1,
  )
  const [period] = recoveries.periods()
  expect(period?.since.until(period.recoveredAt).total('seconds')).toBeLessThan(60)
  await expect.poll(() => logged.join()).toContain('came back from a backup')
  const operator = period?.since.subtract({ hours: 1 }) ?? Temporal.Now.instant()
  expect(await recoveries.isRecorded(operator)).toBe(false)
  await recoveries.record(operator)
  await recoveries.record(operator)
  expect(await recoveries.isRecorded(operator)).toBe(true)
  expect(recoveries.periods()).toHaveLength(2)
})
