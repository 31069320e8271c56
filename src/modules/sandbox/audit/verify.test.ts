import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { SandboxClock } from '../clock/sandbox-clock.ts'
import { RULES, verifySandbox } from './verify.ts'

const database = await createTestDatabase()

test('each rule is broken below', () => {
  expect(Object.keys(RULES)).toEqual(['due_work_has_a_head'])
})

test('a clock that is being advanced, and would never be taken over, is named', async () => {
  const { businessId, caller } = await createTestBusiness(database)
  const clock = new SandboxClock({
    db: database.db,
    businesses: { profile: async () => ({ timeZone: 'Asia/Hong_Kong' }) },
    jobs: [],
    log: pino({ level: 'silent' }),
  })
  // As a process leaves it that is stopped before its clock has arrived.
  await clock.stop()
  await expect(clock.advance(caller, { by: 'P1D' })).rejects.toThrow()
  const breaches = () => Array.fromAsync(verifySandbox(database.db)(businessId))
  expect(await breaches()).toEqual([])
  await database.admin.query('delete from next_runs where business_id = $1', [businessId])
  expect(await breaches()).toMatchObject([{ rule: 'due_work_has_a_head', object: businessId }])
})
