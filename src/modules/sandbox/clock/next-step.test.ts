import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextStep } from './next-step.ts'

const EPOCH = Temporal.Instant.from('2026-01-01T00:00:00Z')
const after = (minutes: number) => EPOCH.add({ minutes })
const due = fc.record({
  at: fc.option(fc.integer({ min: 0, max: 5_000 }).map(after)),
  domain: fc.constantFrom(undefined, 'plans', 'cards'),
  waitsForOutcomes: fc.boolean(),
})

// Proves reference/sandbox#advancing.
test('the earliest due job runs first, and no job runs past the target or past a job that it interacts with', () => {
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
      const others = dues.flatMap(({ at, waitsForOutcomes }) => (at === null || waitsForOutcomes ? [] : at))
      for (const at of [target, ...others]) {
        const mayBeDue = at.equals(step.at) || Temporal.Instant.compare(step.quietUntil, at) <= 0
        expect(mayBeDue).toBe(true)
      }
      for (const part of step.parts) {
        expect(dues[part.job]?.at?.equals(step.at)).toBe(true)
        expect(Temporal.Instant.compare(part.until, step.at)).toBeGreaterThanOrEqual(0)
        expect(Temporal.Instant.compare(part.until, target)).toBeLessThanOrEqual(0)
        expect(part.until.since(step.at).total('hours')).toBeLessThanOrEqual(22)
        const { domain } = dues[part.job] ?? {}
        for (const [job, other] of dues.entries()) {
          const interacts = domain === undefined || other.domain === undefined || domain === other.domain
          const { at } = other
          if (job === part.job || !interacts || at === null || at.equals(step.at)) continue
          expect(Temporal.Instant.compare(part.until, at)).toBeLessThan(0)
        }
      }
    }),
  )
})

test('interleaved card holds and plans take two steps, not one per item', () => {
  const [plan, hold, cards] = [after(0), after(1), after(500)]
  const dues = [
    { at: plan, domain: 'plans', waitsForOutcomes: false },
    { at: hold, domain: 'cards', waitsForOutcomes: false },
    { at: cards, domain: 'cards', waitsForOutcomes: false },
    { at: after(1_000), domain: undefined, waitsForOutcomes: true },
  ] as const
  expect(nextStep(dues, after(5_000))).toEqual({
    at: plan,
    quietUntil: plan,
    parts: [{ job: 0, until: after(1_000).subtract({ microseconds: 1 }) }],
  })
  expect(nextStep(dues.slice(1), after(5_000))).toEqual({
    at: hold,
    quietUntil: hold,
    parts: [{ job: 0, until: cards.subtract({ microseconds: 1 }) }],
  })
})
