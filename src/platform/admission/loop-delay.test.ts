import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test } from 'vitest'
import { LoopDelay } from '#platform/admission/loop-delay'
import { inRequest } from '#platform/request-scope'

function newLoop() {
  const registry = new Registry()
  const loop = new LoopDelay(registry)
  onTestFinished(() => loop.stop())
  return { loop, registry }
}

function block(ms: number): void {
  for (const endsAtMs = performance.now() + ms; performance.now() < endsAtMs;);
}

// Proves reference/access#overload.

test('lists are refused while every turn of the event loop is late, and payments are not', async () => {
  const { loop, registry } = newLoop()
  await sleep(50)
  block(400)
  await sleep(1)
  expect(loop.isTooLateFor('low')).toBe(false)
  for (let turn = 0; turn < 12; turn++) {
    block(110)
    await sleep(1)
  }
  expect(loop.isTooLateFor('low')).toBe(true)
  expect(loop.isTooLateFor('critical')).toBe(false)
  const refused = await registry.getSingleMetric('overload_event_loop_refused_total')?.get()
  expect(refused?.values).toEqual([{ value: 1, labels: { priority: 'low' } }])
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
