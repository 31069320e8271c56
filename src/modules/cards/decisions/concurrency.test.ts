import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { cardsOf, createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { issueActive, newBusiness, used } = fixture

/** Two instances on one database act like two processes. */
const processes = [fixture.cards, cardsOf(fixture.deps)]

const requestFor = (amount: string) => ({
  amount,
  currency: 'HKD',
  merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
  reference_id: newId('ref'),
})

async function authorize(caller: Caller, cardId: string, index: number, amount: string) {
  const cards = processes[index % processes.length] ?? fixture.cards
  const { authorization } = await cards.authorize(caller, cardId, requestFor(amount))
  return authorization
}

/** Runs `total` requests with `callers` at a time. */
async function runConcurrently<T>(
  callers: number,
  total: number,
  request: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const caller = async () => {
    while (next < total) results.push(await request(next++))
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return results
}

// Proves reference/cards#limits, reference/cards#authorizations.
test('a limit with room for 100 approves exactly 100 of 1,000 authorizations by 64 callers', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: [{ period: 'Lifetime', limit_amount: '250' }] })
  const results = await runConcurrently(64, 1_000, (index) => authorize(caller, card.id, index, '2.50'))
  expect(results.filter((authorization) => authorization.approved)).toHaveLength(100)
  expect(
    results.filter((authorization) => authorization.decline_reason === 'limit_exceeded_lifetime'),
  ).toHaveLength(900)
  expect(await used(caller, card.id)).toEqual({ Lifetime: '250.00' })
  expect(await fixture.breaches(caller)).toEqual([])
  const events = await fixture.eventsOf(caller, card.id)
  expect(events.map((event) => event.sequence)).toEqual(Array.from({ length: 1_001 }, (_, i) => i + 1))
})

test('count limits and single use hold under concurrency, with several cards in a batch', async () => {
  const caller = await newBusiness()
  const counted = await issueActive(caller, {
    spending_controls: { count_limits: [{ period: 'Daily', count: 7 }] },
  })
  const single = await issueActive(caller, { spending_controls: { single_use: true } })
  const free = await issueActive(caller)
  const allCards = [counted, single, free]
  const results = await runConcurrently(32, 300, async (index) => {
    const card = allCards[index % 3] ?? free
    return { card, authorization: await authorize(caller, card.id, Math.floor(index / 3), '1') }
  })
  const approvals = allCards.map(
    (card) => results.filter((result) => result.card === card && result.authorization.approved).length,
  )
  expect(approvals).toEqual([7, 1, 100])
  expect(await fixture.breaches(caller)).toEqual([])
})

test('concurrent operations exceed no limit, save by forced captures, and lose no update', async () => {
  const step = fc.record({
    kind: fc.constantFrom(
      'authorize',
      'authorize',
      'authorize',
      'capture',
      'reverse',
      'refund',
      'zone',
      'expire',
    ),
    amount: fc.integer({ min: 1, max: 40 }),
    whole: fc.boolean(),
    pick: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 90, size: 'max' }), async (steps) => {
      const caller = await newBusiness()
      const card = await issueActive(caller, {
        limits: [
          { period: 'Daily', limit_amount: '120' },
          { period: 'Lifetime', limit_amount: '150' },
        ],
      })
      const approved: string[] = []
      await runConcurrently(16, steps.length, async (index) => {
        const chosen = steps[index]
        if (chosen === undefined) throw new Error('no such step')
        const { kind, amount, whole, pick } = chosen
        const cards = processes[index % 2] ?? fixture.cards
        const uuid = approved[pick % Math.max(1, approved.length)] ?? newId('auth')
        const body = whole ? {} : { amount: String(amount) }
        try {
          if (kind === 'authorize') {
            const authorization = await authorize(caller, card.id, index, String(amount))
            if (authorization.approved) approved.push(authorization.uuid)
          } else if (kind === 'capture') await cards.capture(caller, uuid, body)
          else if (kind === 'reverse') await cards.reverse(caller, uuid, body)
          else if (kind === 'refund') await cards.refund(caller, uuid, body)
          else if (kind === 'zone') {
            await cards.edit(caller, card.id, { time_zone: whole ? 'UTC' : 'Pacific/Kiritimati' })
          } else {
            await fixture.runJob(
              caller,
              'card_hold_expiry',
              Temporal.Now.instant().add({ hours: pick % 170 }),
            )
          }
        } catch (error) {
          if (!(error instanceof RequestError)) throw error
        }
      })
      expect(await fixture.breaches(caller)).toEqual([])
    }),
    { numRuns: 15 },
  )
})

test('after a kill every reported decision is stored, the sums agree, and the limit still approves exactly 100', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller, { limits: [{ period: 'Lifetime', limit_amount: '100' }] })
  const reported: { uuid: string; approved: boolean }[] = []
  for (let kill = 0; kill < 3; kill++) {
    const script = fileURLToPath(new URL('../testing/authorize-many.ts', import.meta.url))
    const child = spawn(process.execPath, [script, fixture.url, JSON.stringify(caller), card.id], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    const killAt = 20 + Math.floor(Math.random() * 60)
    let lines = 0
    for await (const line of createInterface(child.stdout)) {
      reported.push(JSON.parse(line) as { uuid: string; approved: boolean })
      if (++lines === killAt) child.kill('SIGKILL')
    }
    await exited
  }
  await runConcurrently(16, 200, (index) => authorize(caller, card.id, index, '1'))
  expect(await fixture.breaches(caller)).toEqual([])
  expect(await used(caller, card.id)).toEqual({ Lifetime: '100.00' })
  const { rows } = await fixture.admin.query<{ uuid: string; state: string }>(
    'select uuid, state from card_authorizations where card_id = $1',
    [card.id],
  )
  const states = new Map(rows.map((row) => [row.uuid, row.state]))
  expect(rows.filter((row) => row.state === 'pending')).toHaveLength(100)
  expect(reported.length).toBeGreaterThan(60)
  for (const { uuid, approved } of reported) {
    expect(states.get(uuid)).toBe(approved ? 'pending' : 'declined')
  }
})
