import { type BillingConfig, billingConfigProblem, type BillingInterval } from './billing-config.ts'

export interface RecurrenceRuleProblem {
  readonly problem: 'not_a_rule' | 'unsupported' | 'out_of_range'
  readonly message: string
}

const INTERVALS: Readonly<Record<string, BillingInterval>> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
}

const PARTS = ['FREQ', 'INTERVAL', 'BYMONTH', 'BYMONTHDAY'] as const
type Part = (typeof PARTS)[number]

const MAX_LENGTH = 200

/**
 * Reads the supported part of RFC 5545, section 3.3.10 (reference/recurring#recurrence-rules): `FREQ`,
 * `INTERVAL`, one `BYMONTHDAY` from 1 to 31, and `BYMONTH` with YEARLY and BYMONTHDAY. As in the RFC, case
 * and order do not matter, and `RRULE:` is the name of the property and not a part of the rule. YEARLY with
 * BYMONTHDAY alone would mean twelve dates a year and is not supported.
 */
export function parseRecurrenceRule(text: string): BillingConfig | RecurrenceRuleProblem {
  const parts = readParts(text)
  if ('problem' in parts) return parts

  const interval = INTERVALS[parts.get('FREQ') ?? '']
  if (interval === undefined) {
    return problem('unsupported', 'must have FREQ=DAILY, WEEKLY, MONTHLY or YEARLY')
  }
  const dayOfMonth = parts.get('BYMONTHDAY')
  const month = parts.get('BYMONTH')
  if (dayOfMonth !== undefined && interval !== 'month' && interval !== 'year') {
    return problem('unsupported', 'can have BYMONTHDAY with MONTHLY or YEARLY only')
  }
  if (month !== undefined && (interval !== 'year' || dayOfMonth === undefined)) {
    return problem('unsupported', 'can have BYMONTH with YEARLY and BYMONTHDAY only')
  }
  if (interval === 'year' && dayOfMonth !== undefined && month === undefined) {
    return problem('unsupported', 'must have BYMONTH beside BYMONTHDAY with YEARLY')
  }
  return checked({
    billing_interval: interval,
    interval_count: Number(parts.get('INTERVAL') ?? 1),
    billing_type: dayOfMonth === undefined ? 'anniversary' : 'calendar',
    ...(dayOfMonth === undefined ? {} : { billing_day_of_month: Number(dayOfMonth) }),
    ...(month === undefined ? {} : { billing_month: Number(month) }),
    billing_proration_enabled: false,
  })
}

function readParts(text: string): Map<Part, string> | RecurrenceRuleProblem {
  if (text.length > MAX_LENGTH) return problem('not_a_rule', `must have at most ${MAX_LENGTH} characters`)
  const parts = new Map<Part, string>()
  for (const assignment of text.toUpperCase().split(';')) {
    const [name = '', value, more] = assignment.split('=')
    if (value === undefined || more !== undefined) {
      return problem('not_a_rule', 'must be written like FREQ=MONTHLY;INTERVAL=1')
    }
    const part = PARTS.find((candidate) => candidate === name)
    if (part === undefined) return problem('unsupported', `can have ${PARTS.join(', ')} only`)
    if (parts.has(part)) return problem('not_a_rule', `must have ${part} once`)
    if (part !== 'FREQ' && !/^\d{1,9}$/.test(value)) {
      return problem('unsupported', `must have one whole number, 1 or more, as ${part}`)
    }
    parts.set(part, value)
  }
  return parts
}

const PART_OF_MEMBER: Readonly<Partial<Record<keyof BillingConfig, Part>>> = {
  interval_count: 'INTERVAL',
  billing_day_of_month: 'BYMONTHDAY',
  billing_month: 'BYMONTH',
}

function checked(config: BillingConfig): BillingConfig | RecurrenceRuleProblem {
  const wrong = billingConfigProblem(config)
  if (wrong === undefined) return config
  const part = PART_OF_MEMBER[wrong.member] ?? wrong.member
  return problem('out_of_range', `has a part out of range: ${part} ${wrong.message}`)
}

function problem(kind: RecurrenceRuleProblem['problem'], message: string): RecurrenceRuleProblem {
  return { problem: kind, message }
}
