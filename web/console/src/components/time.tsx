import { Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from '#app/shell-context.ts'

interface TimeProps {
  /** RFC 3339, or a date. */
  readonly at: string | null | undefined
  readonly withSeconds?: boolean
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A time in the zone of the business. Its tooltip names the zone and gives the same time in UTC. */
export function Time(props: TimeProps) {
  return <ZonedTime {...props} zone={useTimeZone()} />
}

/** A time in the zone of the browser, for pages outside the shell. */
export function BrowserTime(props: TimeProps) {
  return <ZonedTime {...props} zone={new Intl.DateTimeFormat().resolvedOptions().timeZone} />
}

function ZonedTime({ at, withSeconds = false, zone }: TimeProps & { readonly zone: string }) {
  const { i18n } = useTranslation()
  if (at === null || at === undefined || at === '') return <>—</>
  if (DATE.test(at)) {
    return <time dateTime={at}>{formatDate(at, i18n.language)}</time>
  }
  const instant = new Date(at)
  const local = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: 'medium',
    timeStyle: withSeconds ? 'medium' : 'short',
    timeZone: zone,
  })
  const full = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: 'medium',
    timeStyle: 'long',
    timeZone: zone,
  })
  return (
    <Tooltip label={`${full.format(instant)} (${zone}) · ${instant.toISOString()}`}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {local.format(instant)}
      </time>
    </Tooltip>
  )
}

/** A date, which has no zone, as text. */
export function formatDate(date: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
}

/** A time as text, for sentences. */
export function formatTime(at: string, language: string, timeZone: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(at),
  )
}

/** The days from the start of a period to its end, as text. */
export function formatPeriod(
  { start, end }: { readonly start: string; readonly end: string },
  language: string,
  timeZone: string,
): string {
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone })
  return days.formatRange(new Date(start), new Date(end))
}
