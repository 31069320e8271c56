import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { renderClock } from '../api/render.ts'
import { SandboxClock } from '../clock/sandbox-clock.ts'
import { RULES, verifySandbox } from './verify.ts'

const database = await createTestDatabase()

// Proves reference/operations#verify.
test('every rule has a test that breaks it', () => {
  expect(Object.keys(RULES)).toEqual(['due_work_has_a_head'])
})

test('verify reports an advance that no process would ever take over', async () => {
  const { businessId, caller } = await createTestBusiness(database)
  const clock = new SandboxClock({
    db: database.db,
    businesses: { profile: async () => ({ timeZone: 'Asia/Hong_Kong' }) },
    jobs: [],
    log: pino({ level: 'silent' }),
    present: { clock: renderClock },
  })
  // The state that a process leaves if it is stopped before its clock reaches the target.
  await clock.stop()
  await expect(clock.advance(caller, { by: 'P1D' })).rejects.toThrow()
  const breaches = () => Array.fromAsync(verifySandbox(database.db)(businessId))
  expect(await breaches()).toEqual([])
  await database.admin.query('delete from next_runs where business_id = $1', [businessId])
  expect(await breaches()).toMatchObject([{ rule: 'due_work_has_a_head', object: businessId }])
})
