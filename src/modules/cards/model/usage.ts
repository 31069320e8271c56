import { type Instant, isAfter, laterOf } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import { dailyWindow, monthlyWindow, type Window } from './limit-windows.ts'

export interface Counter {
  readonly minor: bigint
  readonly count: number
}

export interface WindowCounter extends Counter {
  readonly window: Window
}

/**
 * Usage belongs to the card and not to its limits, so that a limit added or activated later counts it. `lastChangedAt` is
 * the card's time, which never goes back.
 */
export interface Usage {
  readonly cardId: string
  readonly lastChangedAt: Instant
  readonly daily: WindowCounter
  readonly monthly: WindowCounter
  readonly lifetime: Counter
}

export interface UsageChange {
  readonly at: Instant
  readonly minor: bigint
  readonly count: number
}

export function newUsage(cardId: string, zone: TimeZone, at: Instant): Usage {
  const zero = { minor: 0n, count: 0 }
  return {
    cardId,
    lastChangedAt: at,
    daily: { window: dailyWindow(at, zone), ...zero },
    monthly: { window: monthlyWindow(at, zone), ...zero },
    lifetime: zero,
  }
}

/** The card's time under its lock: now, or the last change if that has a later time by the clock of another process. */
export function cardTime(usage: Usage, now: Instant): Instant {
  return laterOf(now, usage.lastChangedAt)
}

export function usageAt(usage: Usage, zone: TimeZone, at: Instant): Usage {
  return {
    ...usage,
    lastChangedAt: laterOf(at, usage.lastChangedAt),
    daily: hasEnded(usage.daily, at) ? { window: dailyWindow(at, zone), minor: 0n, count: 0 } : usage.daily,
    monthly: hasEnded(usage.monthly, at)
      ? { window: monthlyWindow(at, zone), minor: 0n, count: 0 }
      : usage.monthly,
  }
}

export function addToUsage(usage: Usage, change: UsageChange): Usage {
  return {
    ...usage,
    daily: isInWindow(usage.daily, change.at) ? add(usage.daily, change) : usage.daily,
    monthly: isInWindow(usage.monthly, change.at) ? add(usage.monthly, change) : usage.monthly,
    lifetime: add(usage.lifetime, change),
  }
}

function add<C extends Counter>(counter: C, change: UsageChange): C {
  return { ...counter, minor: counter.minor + change.minor, count: counter.count + change.count }
}

function hasEnded(counter: WindowCounter, at: Instant): boolean {
  return !isAfter(counter.window.end, at)
}

/** No change is later than the current window, so comparing with its start is enough. */
function isInWindow(counter: WindowCounter, at: Instant): boolean {
  return !isAfter(counter.window.start, at)
}
