import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSimulatorAcquirer } from '../../index.ts'
import {
  charge,
  hkd,
  putFaults,
  readBooks,
  SimulatorProcess,
  START,
  temporaryDirectory,
  followUp,
  lookup,
} from '../../testing/simulator.ts'

let temporary: Awaited<ReturnType<typeof temporaryDirectory>>
let simulator: SimulatorProcess
beforeEach(async () => {
  temporary = await temporaryDirectory()
  simulator = await SimulatorProcess.start(temporary.dir)
})
afterEach(async () => {
  await simulator.stop('SIGKILL')
  await temporary.remove()
})

// Proves reference/operations#simulator.
test('after SIGKILLs under load the books hold every acknowledged charge once, and retries with the same keys complete the rest', async () => {
  const { port } = simulator
  const acquirer = createSimulatorAcquirer({ url: simulator.url, merchantId: 'M1' })
  const answered = new Map<string, string>()
  const asked = new Set<string>()
  const stop = new AbortController()
  let started = Promise.resolve()
  const load = Array.from({ length: 64 }, async (_, worker) => {
    for (let n = 0; !stop.signal.aborted; n++) {
      const key = `w${worker}_${n}`
      asked.add(key)
      const outcome = await acquirer.sale(charge(key, { amount: hkd(`${worker + 1}.25`) }))
      if (outcome.kind === 'approved') answered.set(key, outcome.gatewayTransactionId)
      // A stopped simulator refuses connections immediately, and each try would be a charge to send again.
      else await started
    }
  })
  for (let kill = 0; kill < 4; kill++) {
    const before = answered.size
    await expect.poll(() => answered.size).toBeGreaterThan(before + 50)
    await sleep(20 * kill)
    const restart = Promise.withResolvers<void>()
    started = restart.promise
    await simulator.stop('SIGKILL')
    simulator = await SimulatorProcess.start(temporary.dir, port)
    restart.resolve()
  }
  const last = answered.size
  await expect.poll(() => answered.size).toBeGreaterThan(last + 50)
  stop.abort()
  await Promise.all(load)

  const keys = (await readBooks(simulator.url)).map((line) => line.key)
  expect(new Set(keys).size).toBe(keys.length)
  const booked = new Set(keys)
  expect([...answered.keys()].filter((key) => !booked.has(key))).toEqual([])
  for (const key of [...answered.keys()].slice(-200)) {
    expect(await acquirer.inquire(lookup(key))).toMatchObject({ gatewayTransactionId: answered.get(key) })
  }
  // Resend unknown charges, as a payments system without key closing would.
  const unanswered = [...asked].filter((key) => !answered.has(key))
  for (const key of unanswered) {
    const worker = Number(/^w(\d+)/.exec(key)?.[1])
    const outcome = await acquirer.sale(charge(key, { amount: hkd(`${worker + 1}.25`) }))
    expect(outcome.kind).toBe('approved')
  }
  const all = (await readBooks(simulator.url)).map((line) => line.key)
  expect(all.length).toBe(asked.size)
  expect(new Set(all)).toEqual(asked)
  await acquirer.close()
})

test('closed keys, waiting wallets and the refundable rest of a sale survive a SIGKILL', async () => {
  const { port } = simulator
  const acquirer = createSimulatorAcquirer({ url: simulator.url, merchantId: 'M1' })
  const wallet = { instrument: { type: 'wallet_a_pay', autoDebit: false } } as const
  await acquirer.closeKey(lookup('closed'))
  await acquirer.sale(charge('waiting', wallet))
  await acquirer.sale(charge('canceled', wallet))
  await acquirer.closeKey(lookup('canceled'))
  await acquirer.sale(charge('sale'))
  await acquirer.refund(followUp({ key: 'refund', at: START, amount: hkd('100.50'), originalKey: 'sale' }))
  await simulator.stop('SIGKILL')
  simulator = await SimulatorProcess.start(temporary.dir, port)

  expect(await acquirer.sale(charge('closed'))).toMatchObject({ kind: 'refused', responseCode: 'key_closed' })
  expect(await acquirer.inquire(lookup('canceled'))).toEqual({ kind: 'absent', closed: true })
  const more = { key: 'more', at: START, amount: hkd('50.01'), originalKey: 'sale' }
  expect(await acquirer.refund(followUp(more))).toMatchObject({
    kind: 'refused',
    responseCode: 'amount_too_large',
  })
  expect((await acquirer.inquire(lookup('waiting'))).kind).toBe('pending')
  await fetch(`${simulator.url}/payments/waiting/confirm`, { method: 'POST' })
  expect((await acquirer.inquire(lookup('waiting'))).kind).toBe('approved')
  await acquirer.close()
})

test('SIGTERM completes requests in progress, drops those that would never get a response, and exits 0', async () => {
  const acquirer = createSimulatorAcquirer({ url: simulator.url, merchantId: 'M1' })
  const silent = acquirer.sale(
    charge('silent', {
      instrument: { type: 'card', number: '4000000000000127', expMonth: 1, expYear: 2040, holderName: 'A' },
    }),
  )
  await sleep(100)
  await putFaults(simulator.url, { latency_ms: 7_000 })
  const slow = Array.from({ length: 30 }, (_, n) => acquirer.sale(charge(`slow${n}`)))
  // A busy machine sends the requests within this time, half of their latency.
  await sleep(3_500)
  expect(await simulator.stop('SIGTERM')).toBe(0)
  expect((await silent).kind).toBe('unknown')
  expect(new Set((await Promise.all(slow)).map(({ kind }) => kind))).toEqual(new Set(['approved']))
  await acquirer.close()
})

test('a second process on the same books and an invalid port each fail with a clear message', async () => {
  await expect(SimulatorProcess.start(temporary.dir)).rejects.toThrow(/^exit 1: Another simulator is using/)
  await expect(SimulatorProcess.start(temporary.dir, 70_000)).rejects.toThrow(/SIMULATOR_PORT must be/)
})
