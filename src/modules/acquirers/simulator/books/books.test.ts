import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { Money } from '#kernel/money'
import { bookLine, keyStateReply } from '../server/replies.ts'
import { Books } from './books.ts'
import { Refusal } from '../server/refusal.ts'
import type { InstrumentUsed, Operation, PaymentRequest } from '../server/request.ts'
import { testCard } from '../server/test-cards.ts'

const START_MS = 1_900_000_000_000
/** Mostly approving cards, so that there are many payments to capture, refund and void. */
const CARDS = ['4242424242424242', '4242424242424242', '4000000000000002', '4000002500003155'] as const

const instruments = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...CARDS).map((number) => {
      const card = testCard(number)
      if (card === undefined) throw new Error(`${number} is not in the table`)
      return { type: 'card' as const, card }
    }),
  },
  { weight: 1, arbitrary: fc.boolean().map((autoDebit) => ({ type: 'wallet_b' as const, autoDebit })) },
)

/** `pick` selects one of the keys used so far; a new key is `k` plus the number of the step. */
type Step =
  | {
      do: 'charge'
      operation: Operation
      minor: bigint
      instrument: InstrumentUsed
      again: boolean
      pick: number
    }
  | { do: 'follow'; operation: Operation; part: bigint; pick: number }
  | { do: 'close' | 'confirm' | 'decline' | 'inquire'; pick: number }

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      operation: fc.constantFrom<Operation>('sale', 'authorization'),
      minor: fc.constantFrom(60n, 100n),
      instrument: instruments,
      again: fc.boolean(),
      pick: fc.nat(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('follow' as const),
      operation: fc.constantFrom<Operation>('capture', 'capture', 'refund', 'void'),
      part: fc.constantFrom(1n, 1n, 2n),
      pick: fc.nat(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('close' as const, 'confirm' as const, 'decline' as const, 'inquire' as const),
      pick: fc.nat(),
    }),
  },
)

/** Performs one step and adds its key to `keys`. */
function take(books: Books, keys: string[], step: Step, atMs: number): void {
  const picked = keys[step.pick % Math.max(keys.length, 1)] ?? 'k0'
  const fresh = `k${keys.length}`
  try {
    if (step.do === 'close') books.close(picked, atMs)
    else if (step.do === 'inquire') books.inquire(picked, atMs)
    else if (step.do === 'confirm' || step.do === 'decline')
      books.answerChallenge(picked, step.do === 'confirm', atMs)
    else if (step.do === 'charge') {
      const key = step.again ? picked : fresh
      keys.push(key)
      books.submit(request({ key, operation: step.operation, instrument: step.instrument, atMs }, step.minor))
    } else if (step.do === 'follow') {
      const bookings = [...books.bookings()]
      const original = bookings[step.pick % Math.max(bookings.length, 1)]
      if (original?.amount == null) return
      keys.push(fresh)
      const minor = original.amount.minor / step.part
      books.submit(request({ key: fresh, operation: step.operation, originalKey: original.key, atMs }, minor))
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

function request(
  members: Pick<PaymentRequest, 'key' | 'operation' | 'atMs'> & Partial<PaymentRequest>,
  minor: bigint,
): PaymentRequest {
  return {
    amount: Money.ofMinor('USD', minor),
    instrument: null,
    originalKey: null,
    payerPresent: true,
    returnUrl: null,
    ...members,
  }
}

type History = readonly [Step, number][]

function live(books: Books, keys: string[], history: History, fromMs: number): number {
  let nowMs = fromMs
  for (const [step, passedMs] of history) take(books, keys, step, (nowMs += passedMs))
  return nowMs
}

function lived(history: History): { books: Books; lines: string[]; keys: string[] } {
  const lines: string[] = []
  const keys: string[] = []
  const books = new Books((line) => lines.push(line))
  live(books, keys, history, START_MS)
  return { books, lines, keys }
}

const histories = fc.array(fc.tuple(steps, fc.constantFrom(0, 400, 1000, 13 * 3600 * 1000)), {
  minLength: 5,
  maxLength: 80,
})

// Proves reference/sandbox#simulator.
test('in any order of requests, a key books at most once and no original is overdrawn', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const bookings = [...lived(history).books.bookings()]
      expect(new Set(bookings.map(({ key }) => key)).size).toBe(bookings.length)
      for (const original of bookings) {
        const followers = bookings.filter(
          ({ originalKey, end }) => originalKey === original.key && end?.outcome === 'approved',
        )
        const voids = followers.filter(({ operation }) => operation === 'void')
        const takers = followers.filter(
          (taker) =>
            taker.operation !== 'void' &&
            !bookings.some(({ operation, originalKey }) => operation === 'void' && originalKey === taker.key),
        )
        const taken = takers.reduce((sum, { amount }) => sum + (amount?.minor ?? 0n), 0n)
        expect(voids.length).toBeLessThanOrEqual(1)
        expect(voids.every(({ amount }) => amount?.minor === original.amount?.minor)).toBe(true)
        expect(taken <= (original.amount?.minor ?? 0n)).toBe(true)
        if (voids.length === 1) expect(taken).toBe(0n)
      }
    }),
    { numRuns: 400 },
  )
})

test('replaying the log restores the same books and the same responses', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const { books, lines, keys } = lived(history)
      const again = new Books(() => {
        throw new Error('a replay writes nothing')
      })
      lines.forEach((line, index) => again.replay(line, index + 1))
      expect([...again.bookings()].map(bookLine)).toEqual([...books.bookings()].map(bookLine))
      for (const key of keys) {
        expect(keyStateReply(again.inquire(key, null), 'http://x')).toEqual(
          keyStateReply(books.inquire(key, null), 'http://x'),
        )
      }
    }),
    { numRuns: 200 },
  )
})

test('a closed key never books, whatever requests follow', () => {
  fc.assert(
    fc.property(histories, histories, fc.nat(), (before, after, pick) => {
      const { books, keys } = lived(before)
      const key = keys[pick % Math.max(keys.length, 1)] ?? 'k0'
      const closedAtMs = START_MS + 365 * 24 * 3600 * 1000
      const closed = keyStateReply(books.close(key, closedAtMs), 'http://x')
      const booked = [...books.bookings()].filter((payment) => payment.key === key).length
      live(books, keys, after, closedAtMs)
      expect(keyStateReply(books.inquire(key, null), 'http://x')).toEqual(closed)
      expect([...books.bookings()].filter((payment) => payment.key === key)).toHaveLength(booked)
    }),
    { numRuns: 200 },
  )
})

// This brings the start with a million payments from five seconds to two.
test('a replayed payment that completed at once is parsed only on first use', () => {
  const lines: string[] = []
  const books = new Books((line) => lines.push(line))
  for (const number of CARDS) {
    const card = testCard(number)
    if (card === undefined) throw new Error(`${number} is not in the table`)
    const charge = { instrument: { type: 'card', card }, payerPresent: false, atMs: START_MS } as const
    books.submit(request({ key: `sale_${lines.length}`, operation: 'sale', ...charge }, 100n))
    books.submit(request({ key: `hold_${lines.length}`, operation: 'authorization', ...charge }, 100n))
    const binding = request({ key: `binding_${lines.length}`, operation: 'verification', ...charge }, 0n)
    if (!card.asksThreeDSecure) books.submit({ ...binding, amount: null })
  }
  const parse = vi.spyOn(JSON, 'parse')
  try {
    const again = new Books(() => 0)
    lines.forEach((line, index) => again.replay(line, index + 1))
    expect(parse).not.toHaveBeenCalled()
    expect([...again.bookings()]).toHaveLength(2 * CARDS.length)
  } finally {
    parse.mockRestore()
  }
})
