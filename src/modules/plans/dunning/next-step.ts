import { type Instant, isAfter } from '#kernel/clock'
import { instantOfLocal, localDateOf } from '#kernel/time-zone'
import type { DunningPolicy, DunningStep, SoftSteps } from '#modules/catalogue'
import type { Plan, PlanOrder } from '../model/plan.ts'

/** Two groups of soft steps that alternate would otherwise never end (reference/billing-dunning#soft). */
export const MAX_ATTEMPTS = 100

/**
 * - `declineCode`: Of the last attempt.
 * - `after`: The time of the previous attempt. Steps until then are past.
 */
export interface DunningCourse {
  readonly policy: Pick<DunningPolicy, 'steps' | 'soft'>
  readonly plan: Pick<Plan, 'zone' | 'localTime'>
  readonly order: Pick<PlanOrder, 'createdAt' | 'attempts' | 'dunning'>
  readonly declineCode: string | null
  readonly after: Instant
}

interface NumberedStep {
  readonly number: number
  readonly at: Instant
}

/** The steps that are left for an order, in the order of their times (reference/billing-dunning#steps). */
export function stepsLeft(course: DunningCourse): NumberedStep[] {
  const { policy, plan, order, declineCode } = course
  const first = firstNumber(course)
  const { steps } = softSteps(policy, declineCode) ?? policy
  const left: NumberedStep[] = []
  let before = course.after
  for (const [index, step] of steps.entries()) {
    const number = index + 1
    if (number < first) continue
    const at = timeOf(step, plan, order.createdAt, before)
    if (!isAfter(at, before)) continue
    left.push({ number, at })
    before = at
  }
  return left
}

/**
 * The number of a step is the number of attempts made before it. Soft steps are counted from the decline that chose them.
 */
function firstNumber({ policy, order, declineCode }: DunningCourse): number {
  const { attempts, dunning } = order
  if (attempts >= MAX_ATTEMPTS) return MAX_ATTEMPTS
  const soft = softSteps(policy, declineCode)
  if (soft === undefined) return Math.max(attempts, 1)
  const isSame = dunning !== null && softSteps(policy, dunning.declineCode) === soft
  return isSame ? dunning.step + 1 : 1
}

function softSteps(policy: DunningCourse['policy'], declineCode: string | null): SoftSteps | undefined {
  return policy.soft.find(({ declineCodes }) => declineCode !== null && declineCodes.includes(declineCode))
}

function timeOf(
  step: DunningStep,
  { zone, localTime }: DunningCourse['plan'],
  createdAt: Instant,
  before: Instant,
): Instant {
  const date =
    'afterDays' in step
      ? localDateOf(createdAt, zone).add({ days: step.afterDays })
      : nextDate(step.daysOfMonth, localDateOf(before, zone).add({ days: step.minDays }))
  return instantOfLocal(date, step.atTime ?? localTime, zone)
}

function nextDate(days: readonly number[], from: Temporal.PlainDate): Temporal.PlainDate {
  const month = from.toPlainYearMonth()
  const dates = [month, month.add({ months: 1 })]
    // `constrain`, the default of `toPlainDate`, makes 31 the last day of a shorter month.
    .flatMap((one) => days.map((day) => one.toPlainDate({ day })))
    .filter((date) => Temporal.PlainDate.compare(date, from) >= 0)
    .sort((a, b) => Temporal.PlainDate.compare(a, b))
  const [first] = dates
  if (first === undefined) throw new Error('a step with days of the month has a day')
  return first
}
