import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { LoopDelay } from '#platform/admission/loop-delay'
import { inRequest } from '#platform/request-scope'

function newLoop() {
  const refused: string[] = []
  const loop = new LoopDelay({ refused: (priority) => refused.push(priority), watch: () => {} })
  onTestFinished(() => loop.stop())
  return { loop, refused }
}

function block(ms: number): void {
  for (const endsAtMs = performance.now() + ms; performance.now() < endsAtMs;);
}

// Proves reference/access#overload.

test('lists are refused while every turn of the event loop is late, and payments are not', async () => {
  const { loop, refused } = newLoop()
  await sleep(50)
  block(400)
  await sleep(1)
  expect(loop.isTooLateFor('low')).toBe(false)
  for (let turn = 0; turn < 6; turn++) {
    block(150)
    await sleep(1)
  }
  expect(loop.isTooLateFor('low')).toBe(true)
  expect(loop.isTooLateFor('critical')).toBe(false)
  expect(refused).toEqual(['low'])
})

test('of hundreds of requests of one tenant a few start in each turn, and another tenant starts in the first', async () => {
  const { loop } = newLoop()
  const started: string[] = []
  const start = (tenant: string) =>
    inRequest('req', 'standard', async () => {
      await loop.nextTurn(tenant)
      started.push(tenant)
    })
  const all = [...Array.from({ length: 300 }, () => start('loud')), start('quiet')]
  await Promise.all(all)
  expect(started.indexOf('quiet')).toBeLessThan(10)
  expect(started).toHaveLength(301)
})
