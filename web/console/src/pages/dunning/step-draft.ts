import type { DunningPolicy } from 'quittance'

type Step = DunningPolicy['steps'][number]

/** A step as it is typed: days of the month as `1, 15`, and no time for the plan's. */
export interface StepDraft {
  readonly kind: 'after_days' | 'days_of_month'
  readonly afterDays: number | string
  readonly daysOfMonth: string
  readonly minDays: number | string
  readonly time: string
}

export const NEW_STEP: StepDraft = {
  kind: 'after_days',
  afterDays: 3,
  daysOfMonth: '1, 15',
  minDays: 1,
  time: '',
}

export function draftOf(step: Step): StepDraft {
  const time = step.at_time ?? ''
  if (step.after_days !== undefined) return { ...NEW_STEP, afterDays: step.after_days, time }
  const { days_of_month = [], min_days = 1 } = step
  return {
    ...NEW_STEP,
    kind: 'days_of_month',
    daysOfMonth: days_of_month.join(', '),
    minDays: min_days,
    time,
  }
}

export function stepOf({ kind, afterDays, daysOfMonth, minDays, time }: StepDraft): Step {
  const at = time !== '' && { at_time: time }
  return kind === 'after_days'
    ? { after_days: Number(afterDays), ...at }
    : { days_of_month: daysIn(daysOfMonth), min_days: Number(minDays), ...at }
}

export function isCompleteStep({ kind, afterDays, daysOfMonth, minDays }: StepDraft): boolean {
  if (kind === 'after_days') return typeof afterDays === 'number'
  const days = daysIn(daysOfMonth)
  return typeof minDays === 'number' && days.length > 0 && days.every((day) => day >= 1 && day <= 31)
}

function daysIn(text: string): number[] {
  return text.split(/[\s,]+/).flatMap((day) => (day === '' ? [] : Number(day)))
}
