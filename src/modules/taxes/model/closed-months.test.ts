import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstOpenDay, opensDays, refuseLocked } from './closed-months.ts'

const day = fc
  .integer({ min: -400, max: 400 })
  .map((days) => Temporal.PlainDate.from('2026-03-01').add({ days }).toString())
const lock = fc.option(day)

// Proves reference/billing-tax#closed-months.
test('a day is refused exactly if it is on or before the last closed one, and what moves goes to the next day', () => {
  fc.assert(
    fc.property(day, lock, (date, lockedUntil) => {
      const open = firstOpenDay(date, lockedUntil)
      const isClosed = lockedUntil !== null && Temporal.PlainDate.compare(date, lockedUntil) <= 0
      expect(refuseLocked(date, lockedUntil) !== null).toBe(isClosed)
      expect(refuseLocked(open, lockedUntil)).toBeNull()
      if (!isClosed) {
        expect(open).toBe(date)
        return
      }
      expect(Temporal.PlainDate.from(lockedUntil ?? '').until(open).days).toBe(1)
      expect(refuseLocked(date, lockedUntil, 'payment.value_date')).toMatchObject({
        refused: 'period_locked',
        param: 'payment.value_date',
        message: expect.stringContaining(open) as string,
      })
    }),
  )
})

test('days are opened by an earlier date or none, not by a later one', () => {
  fc.assert(
    fc.property(lock, lock, (before, after) => {
      const opened = before !== null && (after === null || Temporal.PlainDate.compare(after, before) < 0)
      expect(opensDays(before, after)).toBe(opened)
    }),
  )
})
