import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { Job } from '#platform/jobs/jobs'
import type { ReportsDependencies } from '../dependencies.ts'
import { REPORT_DAYS } from '../job-names.ts'
import { addDays, addDeclines, type DayTotals, type DeclineTotals } from '../storage/day.repository.ts'
import { nextFoldAt, takeFacts } from '../storage/fact.repository.ts'
import { type Fact, plusMeasures } from '../model/fact.ts'

const BATCH = 2_000

export function foldJob({ db, businesses }: ReportsDependencies): Job {
  return {
    name: REPORT_DAYS,
    clock: 'real',
    nextRunAt: nextFoldAt,
    run: async ({ businessId }) => {
      const { timeZone } = await businesses.profile(businessId)
      return db.transact(businessId, async (tx) => {
        const facts = await takeFacts(tx, BATCH)
        if (facts.length === 0) return 0
        tx.defer(addDays(tx, dayTotals(facts, timeZone)))
        const declines = declineTotals(facts, timeZone)
        if (declines.length > 0) tx.defer(addDeclines(tx, declines))
        return facts.length
      })
    },
  }
}

/** In one order, so that two processes that add to the same days do not wait for each other in a circle. */
function dayTotals(facts: readonly Fact[], zone: TimeZone): DayTotals[] {
  const totals = new Map<string, DayTotals>()
  for (const fact of facts) {
    const day = dayOf(fact, zone)
    const key = `${fact.currency} ${day}`
    const total = totals.get(key)
    totals.set(key, total === undefined ? { ...fact, day } : plusMeasures(total, fact))
  }
  return [...totals].toSorted(byKey).map(([, total]) => total)
}

function declineTotals(facts: readonly Fact[], zone: TimeZone): DeclineTotals[] {
  const totals = new Map<string, DeclineTotals>()
  for (const fact of facts) {
    const { declineCode, currency, declined, declinedAmount } = fact
    if (declineCode === null) continue
    const day = dayOf(fact, zone)
    const key = `${currency} ${day} ${declineCode}`
    const { count = 0, amount = 0n } = totals.get(key) ?? {}
    totals.set(key, { currency, day, declineCode, count: count + declined, amount: amount + declinedAmount })
  }
  return [...totals].toSorted(byKey).map(([, total]) => total)
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function dayOf({ dayAt }: Fact, zone: TimeZone): string {
  return localDateOf(dayAt, zone).toString()
}
