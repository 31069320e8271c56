import { type Instant, isAfter, laterOf } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import { dailyWindow, monthlyWindow, type Window } from './limit-windows.ts'

/** What was used, and how often. */
export interface Counter {
  readonly minor: bigint
  readonly count: number
}

interface WindowCounter extends Counter {
  readonly window: Window
}

/**
 * What a card has used. It is kept for the card, whatever limits it has: a limit that is added or made active later counts
 * what its window already holds.
 */
export interface Usage {
  readonly cardId: string
  /** The card's time never runs back. */
  readonly lastAt: Instant
  readonly daily: WindowCounter
  readonly monthly: WindowCounter
  readonly lifetime: Counter
}

/** What an operation changes. */
export interface UsageChange {
  /** When what is counted was authorized or, by force, captured. */
  readonly at: Instant
  readonly minor: bigint
  readonly count: number
}

/** Of a new card. */
export function newUsage(cardId: string, zone: TimeZone, at: Instant): Usage {
  const nothing = { minor: 0n, count: 0 }
  return {
    cardId,
    lastAt: at,
    daily: { window: dailyWindow(at, zone), ...nothing },
    monthly: { window: monthlyWindow(at, zone), ...nothing },
    lifetime: nothing,
  }
}

/** The card's time when its lock was taken: now, unless an operation before it was later by another clock. */
export function cardTime(usage: Usage, now: Instant): Instant {
  return laterOf(now, usage.lastAt)
}

/** The usage in the windows that `at` lies in: exactly 0 from midnight and from the month's end on. */
export function usageAt(usage: Usage, zone: TimeZone, at: Instant): Usage {
  return {
    ...usage,
    lastAt: laterOf(at, usage.lastAt),
    daily: hasEnded(usage.daily, at) ? { window: dailyWindow(at, zone), minor: 0n, count: 0 } : usage.daily,
    monthly: hasEnded(usage.monthly, at)
      ? { window: monthlyWindow(at, zone), minor: 0n, count: 0 }
      : usage.monthly,
  }
}

/** Counts a change in the lifetime, and in those windows of `usage` that it belongs to. */
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

/** Nothing lies after the current window, so its start decides. */
function isInWindow(counter: WindowCounter, at: Instant): boolean {
  return !isAfter(counter.window.start, at)
}
