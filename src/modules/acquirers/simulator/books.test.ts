import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { bookLine, foundAnswer } from './answers.ts'
import { Books } from './books.ts'
import { Refusal } from './refusal.ts'
import type { Operation, PaymentRequest } from './request.ts'
import { testCard } from './test-cards.ts'

const START_MS = 1_900_000_000_000
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const CARDS = ['4242424242424242', '4000000000000002', '4000002500003155'] as const

const instruments = fc.oneof(
  fc.constantFrom(...CARDS).map((number) => {
    const card = testCard(number)
    if (card === undefined) throw new Error(`${number} is not in the table`)
    return { type: 'card' as const, card }
  }),
  fc.boolean().map((autoDebit) => ({ type: 'wallet_b' as const, autoDebit })),
)

type Step =
  | { do: 'submit'; request: Omit<PaymentRequest, 'atMs'> }
  | { do: 'close' | 'confirm' | 'decline' | 'inquire'; key: string }

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        operation: fc.constantFrom<Operation>(
          'sale',
          'authorization',
          'capture',
          'capture',
          'refund',
          'void',
        ),
        key: fc.constantFrom(...KEYS),
        originalKey: fc.constantFrom(...KEYS),
        minor: fc.constantFrom(1n, 40n, 100n),
        instrument: instruments,
        payerPresent: fc.boolean(),
      })
      .map(({ operation, key, originalKey, minor, instrument, payerPresent }): Step => {
        const begins = operation === 'sale' || operation === 'authorization'
        return {
          do: 'submit',
          request: {
            key,
            operation,
            amount: Money.ofMinor('USD', minor),
            instrument: begins ? instrument : null,
            originalKey: begins ? null : originalKey,
            payerPresent,
            returnUrl: null,
          },
        }
      }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('close' as const, 'confirm' as const, 'decline' as const, 'inquire' as const),
      key: fc.constantFrom(...KEYS),
    }),
  },
)

function take(books: Books, step: Step, atMs: number): void {
  try {
    if (step.do === 'submit') books.submit({ ...step.request, atMs })
    else if (step.do === 'close') books.close(step.key, atMs)
    else if (step.do === 'inquire') books.inquire(step.key, atMs)
    else books.answer(step.key, step.do === 'confirm', atMs)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

function lived(history: readonly [Step, number][]): { books: Books; lines: string[] } {
  const lines: string[] = []
  const books = new Books((line) => lines.push(line))
  let nowMs = START_MS
  for (const [step, passedMs] of history) take(books, step, (nowMs += passedMs))
  return { books, lines }
}

const histories = fc.array(fc.tuple(steps, fc.constantFrom(0, 400, 1000, 13 * 3600 * 1000)), {
  maxLength: 60,
})

test('whatever is asked in whatever order, each key is booked at most once and no original gives more than it has', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const { bookings } = lived(history).books
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

test('the log alone makes the same books and the same answers again', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const { books, lines } = lived(history)
      const again = new Books(() => {
        throw new Error('a replay writes nothing')
      })
      lines.forEach((line, index) => again.replay(line, index + 1))
      expect(again.bookings.map(bookLine)).toEqual(books.bookings.map(bookLine))
      for (const key of KEYS) {
        expect(foundAnswer(again.inquire(key, null), 'http://x')).toEqual(
          foundAnswer(books.inquire(key, null), 'http://x'),
        )
      }
    }),
    { numRuns: 200 },
  )
})

test('a closed key never books, whatever comes after', () => {
  fc.assert(
    fc.property(histories, histories, fc.constantFrom(...KEYS), (before, after, key) => {
      const lines: string[] = []
      const books = new Books((line) => lines.push(line))
      let nowMs = START_MS
      for (const [step, passedMs] of before) take(books, step, (nowMs += passedMs))
      const closed = foundAnswer(books.close(key, nowMs), 'http://x')
      const booked = books.bookings.filter((payment) => payment.key === key).length
      for (const [step, passedMs] of after) take(books, step, (nowMs += passedMs))
      expect(foundAnswer(books.inquire(key, nowMs), 'http://x')).toEqual(closed)
      expect(books.bookings.filter((payment) => payment.key === key)).toHaveLength(booked)
    }),
    { numRuns: 200 },
  )
})
