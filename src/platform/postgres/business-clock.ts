import { type Instant, realClock } from '#kernel/clock'

export interface ClockRow {
  readonly offset_ms: bigint
  /** Where the clock stands while it is being advanced. */
  readonly frozen_at: Instant | null
}

/** What a business's clock shows. */
export function timeOn({ frozen_at: frozenAt, offset_ms: offsetMs }: ClockRow): Instant {
  return frozenAt ?? realClock.now().add({ milliseconds: Number(offsetMs) })
}
