import { toRfc3339 } from '#kernel/clock'
import type { Instant } from '#kernel/clock'

/** A time as a statement's parameter. */
export function instantText(instant: Instant | null): string | null {
  return instant === null ? null : toRfc3339(instant)
}
