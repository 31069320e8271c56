import { firstSchedule, followingSchedule, type Schedule } from '#kernel/calendar'
import type { Cycle, PlanAggregate, Plan } from './plan.ts'
import { firstPeriodAt } from './trial.ts'

export function scheduleOf(plan: Plan, cycle: Cycle): Schedule {
  if (cycle.start === null) throw new Error(`cycle ${cycle.id} has not started`)
  return {
    config: cycle.config,
    zone: plan.zone,
    localTime: plan.localTime,
    start: cycle.start.at,
    startDate: cycle.start.date,
    anchorDay: cycle.start.anchorDay,
  }
}

export function firstScheduleOf(plan: Plan, cycle: Cycle): Schedule {
  return firstSchedule(cycle.config, firstPeriodAt(plan), plan.zone, plan.localTime)
}

/** Returns the schedules of all cycles, estimated for later ones. The list ends with an endless cycle. */
export function schedulesOf(aggregate: PlanAggregate): Schedule[] {
  const schedules: Schedule[] = []
  for (const cycle of aggregate.cycles) {
    const previous = aggregate.cycles[cycle.position - 1]
    const previousSchedule = schedules[cycle.position - 1]
    if (cycle.start !== null) schedules.push(scheduleOf(aggregate.plan, cycle))
    else if (previous === undefined || cycle.position === aggregate.plan.currentCycle)
      schedules.push(firstScheduleOf(aggregate.plan, cycle))
    else {
      const end = endPeriod(previous)
      if (previousSchedule === undefined || end === null || !isWithinCalendar(previousSchedule, end)) break
      schedules.push(followingSchedule(previousSchedule, end, cycle.config))
    }
  }
  return schedules
}

const DAYS_OF_INTERVAL = { day: 1, week: 7, month: 31, year: 366 } as const
/** RFC 3339 ends with the year 9999, and a billing_count may lead far beyond. */
const LAST_YEAR = 9990

export function isWithinCalendar(schedule: Schedule, index: number): boolean {
  const { billing_interval: interval, interval_count: count } = schedule.config
  const years = (index * count * DAYS_OF_INTERVAL[interval]) / 365
  return schedule.startDate.year + years < LAST_YEAR
}

/** Returns the index of the period at whose start the cycle ends. A later pause may move the end. */
export function endPeriod(cycle: Cycle): number | null {
  if (cycle.billingCount === null) return null
  return cycle.nextPeriod + cycle.billingCount - cycle.ordersCreated
}
