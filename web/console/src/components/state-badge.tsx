import { useTranslation } from 'react-i18next'
import { sentence } from '#components/sentence.ts'
import classes from './state-badge.module.css'

type Tone = 'good' | 'bad' | 'wait' | 'info' | 'plain'

/** Words of the API's states. A word that is not here is shown without colour. */
const TONES: Readonly<Record<string, Tone>> = {
  paid: 'good',
  completed: 'good',
  succeeded: 'good',
  success: 'good',
  active: 'good',
  approved: 'good',
  delivered: 'good',
  enabled: 'good',
  won: 'good',
  matched: 'good',
  cleared: 'good',
  settled: 'good',
  confirmed: 'good',
  failed: 'bad',
  declined: 'bad',
  uncollectible: 'bad',
  lost: 'bad',
  blocked: 'bad',
  exhausted: 'bad',
  mismatched: 'bad',
  missing: 'bad',
  revoked: 'bad',
  pending: 'wait',
  unknown: 'wait',
  partial_paid: 'wait',
  over_paid: 'wait',
  past_due: 'wait',
  unpaid: 'wait',
  needs_response: 'wait',
  retrying: 'wait',
  running: 'wait',
  open: 'info',
  authorized: 'info',
  scheduled: 'info',
  trialing: 'info',
  under_review: 'info',
  paused: 'info',
}

interface StateBadgeProps {
  readonly state: string
  /** The text, where it is not that of the state. */
  readonly label?: string
  readonly tone?: Tone
}

/** The text is `state.<state>` of the area `components`, or the word itself. */
export function StateBadge({ state, label, tone }: StateBadgeProps) {
  const { t } = useTranslation('components')
  return (
    <span className={classes.badge} data-tone={tone ?? TONES[state] ?? 'plain'}>
      {label ?? t(`state.${state}`, { defaultValue: sentence(state) })}
    </span>
  )
}
