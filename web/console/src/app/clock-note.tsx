import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useTimeZone } from '#app/shell-context.ts'
import { formatTime } from '#components/time.tsx'
import classes from './shell.module.css'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const UNITS = [
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
] as const

/** Says that the clock of the test environment is ahead of the real time, so that nobody wonders about the dates. */
export function ClockNote({ isShort = false }: { readonly isShort?: boolean }) {
  const { t, i18n } = useTranslation()
  const zone = useTimeZone()
  const api = useApi()
  const { data, dataUpdatedAt } = useQuery({
    queryKey: api.key('clock'),
    enabled: api.can('admin:read'),
    refetchInterval: MINUTE_MS,
    queryFn: ({ signal }) => api.quittance.sandbox.getClock({ signal }),
  })
  const [realNowMs, setRealNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setRealNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  if (data === undefined) return null
  // The response took a while to arrive, which must not take a day from the lead.
  const aheadMs = Date.parse(data.now) - dataUpdatedAt + MINUTE_MS / 2
  const [unit, unitMs] = UNITS.find(([, ms]) => aheadMs >= ms) ?? []
  if (unit === undefined || unitMs === undefined) return null
  const elapsedMs = Math.max(0, realNowMs - dataUpdatedAt)
  const ahead = new Intl.NumberFormat(i18n.language, { style: 'unit', unit, unitDisplay: 'long' })
  return (
    <Link to="/sandbox" className={classes.clockNote ?? ''}>
      {t(isShort ? 'shell.clock_ahead_short' : 'shell.clock_ahead', {
        ahead: ahead.format(Math.floor(aheadMs / unitMs)),
        time: formatTime(new Date(Date.parse(data.now) + elapsedMs).toISOString(), i18n.language, zone),
      })}
    </Link>
  )
}
