import { type Instant, isAfter } from '#kernel/clock'
import { isDurationProblem, parseDuration } from '#kernel/duration'
import type { Refused } from '#kernel/refusal'
import { parseDate, parseTimeOrDate } from '#kernel/time-text'
import { instantOfLocal, localDateOf, type TimeZone } from '#kernel/time-zone'
import { catalogueErrors as errors } from '#modules/catalogue'
import { platformErrors } from '#platform/errors'
import { accepted } from '../errors.ts'
import type { Plan } from '../model/plan.ts'
import type { Terms } from '../model/terms.ts'
import { MAX_TRIAL_DAYS, type NewTerms, type NewTrial } from '../model/plan-requests.ts'
import { noticeAt } from '../model/trial.ts'

/** The default of reference/billing-lifecycle#trials. */
const DEFAULT_NOTICE_DAYS = 3

type TrialGround = Pick<Plan, 'startAt' | 'localTime' | 'zone'>

/** Returns a plan's trial, and the time of day of its orders, which is that of the trial's end. */
export function readTrial(
  request: NewTrial | undefined,
  plan: TrialGround,
): Pick<Plan, 'trial' | 'localTime'> {
  if (request === undefined) return { trial: null, localTime: plan.localTime }
  const { days, until, without_token: withoutToken = 'cancel', notice_days: noticeDays } = request
  if (days === undefined && until === undefined) {
    throw platformErrors.missing_member({ param: 'plan.trial.days', message: 'Send either days or until.' })
  }
  if (days !== undefined && until !== undefined) {
    throw errors.trial_invalid({ param: 'plan.trial', message: 'plan.trial needs either days or until.' })
  }
  const { end, localTime } =
    days === undefined
      ? accepted(endOfTrial(until ?? '', plan, plan.startAt, 'plan.trial.until'))
      : {
          end: instantOfLocal(localDateOf(plan.startAt, plan.zone).add({ days }), plan.localTime, plan.zone),
          localTime: plan.localTime,
        }
  if (!isAfter(end, plan.startAt)) {
    throw errors.trial_invalid({
      param: 'plan.trial.until',
      message: 'plan.trial.until must be later than the start of the plan.',
    })
  }
  const trial = {
    end,
    state: 'running',
    withoutToken,
    noticeDays: noticeDays ?? DEFAULT_NOTICE_DAYS,
  } as const
  return { trial: { ...trial, noticeAt: noticeAt(plan, trial) }, localTime }
}

export function endOfTrial(
  text: string,
  { zone }: Pick<Plan, 'zone'>,
  from: Instant,
  param: string,
): { readonly end: Instant; readonly localTime: Temporal.PlainTime } | Refused<'trial_invalid'> {
  const { at: end, localTime } = timeOrDate(text, zone)
  if (localDateOf(from, zone).until(localDateOf(end, zone)).days > MAX_TRIAL_DAYS) {
    const message = `${param} must be at most ${MAX_TRIAL_DAYS} days away.`
    return { refused: 'trial_invalid', param, message }
  }
  return { end, localTime }
}

/** The local time of a date is 00:00, even if daylight saving skips 00:00 on that day. */
function timeOrDate(
  text: string,
  zone: TimeZone,
): { readonly at: Instant; readonly localTime: Temporal.PlainTime } {
  const at = parseTimeOrDate(text, zone)
  if (at === undefined) throw new Error(`${text} has passed the schema, but is no time`)
  const isDate = parseDate(text) !== undefined
  return { at, localTime: isDate ? new Temporal.PlainTime() : at.toZonedDateTimeISO(zone).toPlainTime() }
}

export function readPauseUntil(text: string | undefined, zone: TimeZone, now: Instant): Instant | null {
  if (text === undefined) return null
  const { at } = timeOrDate(text, zone)
  if (!isAfter(at, now)) throw errors.until_invalid({ param: 'until' })
  return at
}

export function readTerms(request: NewTerms | undefined): Terms | null {
  if (request === undefined) return null
  const read = (name: keyof NewTerms, mayBeZero: boolean): string | null => {
    const text = request[name]
    return text === undefined ? null : readDays(text, `plan.terms.${name}`, mayBeZero)
  }
  return {
    minimum: read('minimum', false) ?? '',
    notice: read('notice', true),
    renewal: read('renewal', false),
  }
}

function readDays(text: string, param: string, mayBeZero: boolean): string {
  const duration = parseDuration(text)
  const invalid = (rule: string) => errors.terms_invalid({ param, message: `${param} ${rule}.` })
  if (isDurationProblem(duration)) throw invalid(duration.message)
  if (text.toUpperCase().includes('T')) {
    throw invalid('must have whole days only, such as P12M or P30D')
  }
  if (duration.blank && !mayBeZero) throw invalid('must be longer than zero')
  return duration.toString()
}
