import { Text } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import type { Schemas } from 'quittance'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Below this the time is shown in red. */
const URGENT_MS = 3 * DAY_MS

/** How long evidence is still taken. Disputes live on the real clock (reference/disputes). */
export function DueIn({ dispute }: { readonly dispute: Schemas['Dispute'] }) {
  const { t } = useTranslation('disputes')
  const [now, setNow] = useState(Date.now)
  const { start, stop } = useInterval(() => setNow(Date.now()), 30_000)
  useEffect(() => {
    start()
    return stop
  }, [start, stop])
  const { respond_by: by, submitted_at: submitted, state } = dispute
  if (submitted !== null) return t('due.submitted')
  if (by === null || !state.endsWith('needs_response')) return '—'
  const left = Date.parse(by) - now
  if (left <= 0)
    return (
      <Text span inherit c="red">
        {t('due.passed')}
      </Text>
    )
  const days = Math.floor(left / DAY_MS)
  const hours = Math.floor((left % DAY_MS) / HOUR_MS)
  const minutes = Math.floor((left % HOUR_MS) / MINUTE_MS)
  const text = days > 0 ? t('due.days', { days, hours }) : t('due.hours', { hours, minutes })
  return (
    <Text
      span
      inherit
      fw={left < URGENT_MS ? 600 : 400}
      {...(left < URGENT_MS && { c: 'var(--mantine-color-error)' })}
    >
      {text}
    </Text>
  )
}
