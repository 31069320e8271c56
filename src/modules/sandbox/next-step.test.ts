import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextStep } from './next-step.ts'

const EPOCH = Temporal.Instant.from('2026-01-01T00:00:00Z')
const after = (minutes: number) => EPOCH.add({ minutes })
const due = fc.option(fc.integer({ min: 0, max: 5_000 }).map(after))

test('the earliest is done first, and no kind goes ahead over another or the target', () => {
  fc.assert(
    fc.property(fc.array(due, { maxLength: 5 }), fc.integer({ min: 0, max: 5_000 }), (dues, minutes) => {
      const target = after(minutes)
      const until = dues.filter((at) => at !== null).filter((at) => Temporal.Instant.compare(at, target) <= 0)
      const step = nextStep(dues, target)
      expect(step === undefined).toBe(until.length === 0)
      if (step === undefined) return
      for (const at of until) expect(Temporal.Instant.compare(step.at, at)).toBeLessThanOrEqual(0)
      for (const part of step.parts) {
        expect(dues[part.kind]?.equals(step.at)).toBe(true)
        expect(Temporal.Instant.compare(part.until, step.at)).toBeGreaterThanOrEqual(0)
        expect(Temporal.Instant.compare(part.until, target)).toBeLessThanOrEqual(0)
        expect(part.until.since(step.at).total('hours')).toBeLessThanOrEqual(22)
        for (const [kind, at] of dues.entries()) {
          if (kind === part.kind || at === null || at.equals(step.at)) continue
          expect(Temporal.Instant.compare(part.until, at)).toBeLessThan(0)
        }
      }
    }),
  )
})
