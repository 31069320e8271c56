import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextStep } from './next-step.ts'

const EPOCH = Temporal.Instant.from('2026-01-01T00:00:00Z')
const after = (minutes: number) => EPOCH.add({ minutes })
const due = fc.record({
  at: fc.option(fc.integer({ min: 0, max: 5_000 }).map(after)),
  of: fc.constantFrom(undefined, 'plans', 'cards'),
})

test('the earliest is done first, and no kind goes ahead over another that it meets, or the target', () => {
  fc.assert(
    fc.property(fc.array(due, { maxLength: 5 }), fc.integer({ min: 0, max: 5_000 }), (dues, minutes) => {
      const target = after(minutes)
      const until = dues.flatMap(({ at }) =>
        at !== null && Temporal.Instant.compare(at, target) <= 0 ? at : [],
      )
      const step = nextStep(dues, target)
      expect(step === undefined).toBe(until.length === 0)
      if (step === undefined) return
      for (const at of until) expect(Temporal.Instant.compare(step.at, at)).toBeLessThanOrEqual(0)
      for (const part of step.parts) {
        expect(dues[part.kind]?.at?.equals(step.at)).toBe(true)
        expect(Temporal.Instant.compare(part.until, step.at)).toBeGreaterThanOrEqual(0)
        expect(Temporal.Instant.compare(part.until, target)).toBeLessThanOrEqual(0)
        expect(part.until.since(step.at).total('hours')).toBeLessThanOrEqual(22)
        const { of } = dues[part.kind] ?? {}
        for (const [kind, other] of dues.entries()) {
          const meets = of === undefined || other.of === undefined || of === other.of
          const { at } = other
          if (kind === part.kind || !meets || at === null || at.equals(step.at)) continue
          expect(Temporal.Instant.compare(part.until, at)).toBeLessThan(0)
        }
      }
    }),
  )
})

test('holds of cards and plans between each other are two steps, not one for each', () => {
  const [plan, hold, cards] = [after(0), after(1), after(500)]
  const dues = [
    { at: plan, of: 'plans' },
    { at: hold, of: 'cards' },
    { at: cards, of: 'cards' },
    { at: after(1_000), of: undefined },
  ] as const
  expect(nextStep(dues, after(5_000))).toEqual({
    at: plan,
    parts: [{ kind: 0, until: after(1_000).subtract({ microseconds: 1 }) }],
  })
  expect(nextStep(dues.slice(1), after(5_000))).toEqual({
    at: hold,
    parts: [{ kind: 0, until: cards.subtract({ microseconds: 1 }) }],
  })
})
