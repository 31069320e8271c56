import { expect, test } from 'vitest'
import type { DuePlan } from '../storage/due-plan.repository.ts'
import { BatchRunner } from './batch-runner.ts'

const DUE = { kind: 'timeline', at: Temporal.Instant.from('2026-01-31T00:00:00Z'), orderId: null } as const

test('a batch has at most 200 plans, and every plan is in one batch', async () => {
  const waiting: DuePlan[] = Array.from({ length: 1_000 }, (_, nth) => ({
    planId: `rpl_${nth}`,
    customerUuid: 'cus_1',
    dunningPolicyId: null,
    due: DUE,
  }))
  const batches: string[][] = []
  const runner = new BatchRunner({
    find: async () => waiting.splice(0),
    process: async (plans) => {
      batches.push(plans.map(({ planId }) => planId))
      return { plansChanged: plans.length }
    },
    isStopping: () => false,
  })
  expect(await runner.run()).toBe(1_000)
  expect(batches.map(({ length }) => length)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(batches.flat()).size).toBe(1_000)
})
