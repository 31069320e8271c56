import type { RequestError } from '#kernel/errors'
import { platformErrors } from '#platform/errors'
import { errors } from '../errors.ts'
import type { DunningPolicy, DunningStep, SoftSteps } from '../model/dunning-policy.ts'
import type { NewDunningPolicy, StepMembers } from '../model/dunning-policy-requests.ts'
import { membersOfStep, stepOf } from '../model/step-members.ts'

type PolicyMembers = Omit<NewDunningPolicy, 'name' | 'reference_id' | 'metadata'>

type Rules = Pick<DunningPolicy, 'steps' | 'soft' | 'hard' | 'newToken' | 'exhausted' | 'reminders'>

/** With the first attempt these make the `MAX_ATTEMPTS` of an order (reference/billing-dunning#soft). */
export const MAX_STEPS = 99

/** @throws 422 `policy_inconsistent` names the member */
export function readPolicy(members: PolicyMembers): Rules {
  const { steps, soft = [], reminders = [] } = members
  for (const [index, days] of reminders.entries()) {
    if (days <= (reminders[index - 1] ?? -1))
      throw inconsistent(`reminders[${index}]`, 'must be more than the number before')
  }
  return {
    steps: readSteps(steps, 'steps'),
    soft: readSoft(soft),
    hard: members.hard ?? 'wait',
    newToken: members.new_token ?? 'retry',
    exhausted: members.exhausted ?? 'uncollectible',
    reminders,
  }
}

export function membersOf(policy: Rules): PolicyMembers {
  return {
    steps: policy.steps.map(membersOfStep),
    soft: policy.soft.map(({ declineCodes, steps }) => ({
      decline_codes: [...declineCodes],
      steps: steps.map(membersOfStep),
    })),
    hard: policy.hard,
    new_token: policy.newToken,
    exhausted: policy.exhausted,
    reminders: [...policy.reminders],
  }
}

function readSoft(soft: NonNullable<PolicyMembers['soft']>): SoftSteps[] {
  const known = new Set<string>()
  return soft.map(({ decline_codes, steps }, index) => {
    const path = `soft[${index}]`
    if (decline_codes.length === 0) throw inconsistent(`${path}.decline_codes`, 'must name a decline code')
    for (const [position, code] of decline_codes.entries()) {
      if (known.has(code))
        throw inconsistent(`${path}.decline_codes[${position}]`, 'must not name a decline code twice')
      known.add(code)
    }
    return { declineCodes: decline_codes, steps: readSteps(steps, `${path}.steps`) }
  })
}

function readSteps(steps: readonly StepMembers[], path: string): DunningStep[] {
  if (steps.length < 1 || steps.length > MAX_STEPS)
    throw inconsistent(path, `must have 1 to ${MAX_STEPS} steps`)
  const read: DunningStep[] = []
  for (const [index, members] of steps.entries()) {
    const step = readStep(members, `${path}[${index}]`)
    const before = read.findLast((earlier) => 'afterDays' in earlier)
    if (before !== undefined && 'afterDays' in step && !isLater(step, before)) {
      throw inconsistent(
        `${path}[${index}].after_days`,
        'must be more than after_days of the step before, or equal to it with a later at_time in both steps',
      )
    }
    read.push(step)
  }
  return read
}

function readStep(members: StepMembers, path: string): DunningStep {
  const { after_days, days_of_month: days, min_days } = members
  if (after_days !== undefined) {
    if (days !== undefined) throw inconsistent(`${path}.days_of_month`, 'cannot be sent with after_days')
    if (min_days !== undefined) throw inconsistent(`${path}.min_days`, 'cannot be sent with after_days')
    return stepOf(members)
  }
  if (days === undefined) {
    throw platformErrors.missing_member({
      param: `dunning_policy.${path}.after_days`,
      message: 'Send either after_days or days_of_month.',
    })
  }
  if (days.length === 0) throw inconsistent(`${path}.days_of_month`, 'must name a day')
  const repeated = days.findIndex((day, index) => days.indexOf(day) < index)
  if (repeated >= 0) throw inconsistent(`${path}.days_of_month[${repeated}]`, 'must not name a day twice')
  return stepOf(members)
}

type AfterDays = Extract<DunningStep, { afterDays: number }>

/** A step without `at_time` uses each plan's time of day, so its time cannot be compared with others. */
function isLater(step: AfterDays, before: AfterDays): boolean {
  if (step.afterDays !== before.afterDays) return step.afterDays > before.afterDays
  const { atTime } = step
  return atTime !== null && before.atTime !== null && Temporal.PlainTime.compare(atTime, before.atTime) > 0
}

function inconsistent(member: string, rule: string): RequestError {
  const param = `dunning_policy.${member}`
  return errors.policy_inconsistent({ param, message: `${param} ${rule}.` })
}
