import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BillingConfig, billingConfigKey, billingConfigProblem } from './billing-config.ts'
import { parseRecurrenceRule } from './recurrence-rule.ts'

const MONTHLY: BillingConfig = {
  billing_interval: 'month',
  interval_count: 1,
  billing_type: 'anniversary',
  billing_proration_enabled: false,
}

// Proves reference/recurring#recurrence-rules.
test('a rule is an anniversary config without BYMONTHDAY and an unprorated calendar config with it', () => {
  expect(parseRecurrenceRule('FREQ=MONTHLY')).toEqual(MONTHLY)
  expect(parseRecurrenceRule('FREQ=WEEKLY;INTERVAL=2')).toEqual({
    ...MONTHLY,
    billing_interval: 'week',
    interval_count: 2,
  })
  expect(parseRecurrenceRule('FREQ=MONTHLY;BYMONTHDAY=31')).toEqual({
    ...MONTHLY,
    billing_type: 'calendar',
    billing_day_of_month: 31,
  })
  expect(parseRecurrenceRule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29')).toEqual({
    ...MONTHLY,
    billing_interval: 'year',
    billing_type: 'calendar',
    billing_month: 2,
    billing_day_of_month: 29,
  })
})

test('rules that mean the same become the same config', () => {
  const keys = [
    'FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=5',
    'BYMONTHDAY=05;freq=monthly',
    'FREQ=Monthly;BYMONTHDAY=5',
  ].map((rule) => {
    const config = parseRecurrenceRule(rule)
    return 'problem' in config ? config.message : billingConfigKey(config)
  })
  expect(new Set(keys).size).toBe(1)
  expect(billingConfigKey(MONTHLY)).not.toBe(billingConfigKey({ ...MONTHLY, interval_count: 2 }))
})

test('an unsupported rule is refused with a reason', () => {
  for (const [rule, problem] of [
    ['', 'not_a_rule'],
    ['MONTHLY', 'not_a_rule'],
    ['FREQ=MONTHLY;', 'not_a_rule'],
    ['FREQ=MONTHLY=1', 'not_a_rule'],
    ['FREQ=MONTHLY;FREQ=DAILY', 'not_a_rule'],
    [`FREQ=${'A'.repeat(300)}`, 'not_a_rule'],
    ['RRULE:FREQ=MONTHLY', 'unsupported'],
    ['INTERVAL=1', 'unsupported'],
    ['FREQ=HOURLY', 'unsupported'],
    ['FREQ=toString', 'unsupported'],
    ['FREQ=MONTHLY;COUNT=3', 'unsupported'],
    ['FREQ=MONTHLY;UNTIL=20270101', 'unsupported'],
    ['FREQ=WEEKLY;BYDAY=MO', 'unsupported'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'unsupported'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,15', 'unsupported'],
    ['FREQ=WEEKLY;BYMONTHDAY=1', 'unsupported'],
    ['FREQ=MONTHLY;BYMONTH=1;BYMONTHDAY=1', 'unsupported'],
    ['FREQ=YEARLY;BYMONTH=1', 'unsupported'],
    ['FREQ=YEARLY;BYMONTHDAY=1', 'unsupported'],
    ['FREQ=MONTHLY; INTERVAL=1', 'unsupported'],
    ['FREQ=MONTHLY;INTERVAL=0', 'out_of_range'],
    ['FREQ=MONTHLY;INTERVAL=121', 'out_of_range'],
    ['FREQ=MONTHLY;BYMONTHDAY=0', 'out_of_range'],
    ['FREQ=MONTHLY;BYMONTHDAY=32', 'out_of_range'],
    ['FREQ=YEARLY;BYMONTH=13;BYMONTHDAY=1', 'out_of_range'],
  ] as const) {
    expect(parseRecurrenceRule(rule), rule).toMatchObject({ problem })
  }
})

test('a part out of range is named together with its range', () => {
  expect(parseRecurrenceRule('FREQ=MONTHLY;INTERVAL=121')).toMatchObject({
    message: 'has a part out of range: INTERVAL must be a whole number from 1 to 120 for month',
  })
})

test('any text is refused or becomes a valid config', () => {
  const part = fc
    .tuple(
      fc.constantFrom('FREQ', 'INTERVAL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY'),
      fc.oneof(fc.nat(40).map(String), fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'MO')),
    )
    .map(([name, value]) => `${name}=${value}`)
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part, { maxLength: 5 }).map((parts) => parts.join(';')),
      ),
      (text) => {
        const config = parseRecurrenceRule(text)
        if (!('problem' in config)) expect(billingConfigProblem(config)).toBeUndefined()
      },
    ),
    { numRuns: 1000 },
  )
})

// Proves reference/recurring#billing-configs.
test('an invalid config names the wrong member', () => {
  const calendar: BillingConfig = { ...MONTHLY, billing_type: 'calendar', billing_day_of_month: 1 }
  expect(billingConfigProblem(calendar)).toBeUndefined()
  for (const [config, member] of [
    [{ ...MONTHLY, interval_count: 0 }, 'interval_count'],
    [{ ...MONTHLY, interval_count: 1.5 }, 'interval_count'],
    [{ ...MONTHLY, billing_type: 'calendar' }, 'billing_day_of_month'],
    [{ ...MONTHLY, billing_day_of_month: 1 }, 'billing_day_of_month'],
    [{ ...calendar, billing_day_of_month: 32 }, 'billing_day_of_month'],
    [{ ...calendar, billing_month: 1 }, 'billing_month'],
    [{ ...calendar, billing_interval: 'year' }, 'billing_month'],
    [{ ...calendar, billing_interval: 'week' }, 'billing_type'],
    [{ ...MONTHLY, billing_proration_enabled: true }, 'billing_proration_enabled'],
  ] satisfies ReadonlyArray<[BillingConfig, string]>) {
    expect(billingConfigProblem(config)?.member).toBe(member)
  }
})
