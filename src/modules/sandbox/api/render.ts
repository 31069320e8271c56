import type { Static } from 'typebox'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { SimulatorFaults } from '#modules/acquirers'
import type { DueJob } from '../clock/sandbox-clock.ts'
import type { ClockData, DueData, FaultsData } from './schemas.ts'

export function renderClock(now: Instant): Static<typeof ClockData> {
  return { clock: { now: toRfc3339(now) } }
}

export function renderDue(due: readonly DueJob[]): Static<typeof DueData> {
  return { due: due.map(({ work, at }) => ({ work, next_at: toRfc3339(at) })) }
}

export function renderFaults(faults: SimulatorFaults): Static<typeof FaultsData> {
  const percent = (chance: number) => Math.round(chance * 100)
  return {
    faults: {
      latency_ms: faults.latency_ms,
      fail_before_percent: percent(faults.fail_before),
      fail_after_percent: percent(faults.fail_after),
      lose_answer_percent: percent(faults.lose_answer),
    },
  }
}
