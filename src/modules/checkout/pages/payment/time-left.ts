import type { Instant } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import { dateFormat } from '#platform/documents/date-format'
import { html, type Html } from '#platform/http/html'
import type { Language } from '../../words/language.ts'
import type { Words } from '../../words/words.ts'
import { timer } from '../timer.ts'
import type { TimeLeft } from '../../model/payment-view.ts'

const DAY_SECONDS = 86_400

export function timeLeftToPay(
  { seconds, endsAt, timeZone }: TimeLeft,
  words: Words,
  language: Language,
): Html {
  if (seconds <= DAY_SECONDS) return timer(words.timeLeft, seconds)
  const shown = {
    time: html`<bdi class="time">${daysText(seconds, language)}</bdi>`,
    end: html`<bdi class="end">${endText(endsAt, timeZone, language)}</bdi>`,
  }
  const parts = words.timeLeftUntil.split(/\{(time|end)\}/)
  return html`<p
    class="timer"
    role="timer"
    aria-live="off"
    data-seconds="${seconds}"
    data-sentence="${words.timeLeft}"
  >
    ${parts.map((part) => (part === 'time' || part === 'end' ? shown[part] : part))}
  </p>`
}

function daysText(seconds: number, language: Language): string {
  const days = Math.floor(seconds / DAY_SECONDS)
  const hours = Math.floor((seconds % DAY_SECONDS) / 3_600)
  return new Intl.DurationFormat(language, { style: 'long', numberingSystem: 'latn' }).format({ days, hours })
}

function endText(endsAt: Instant, timeZone: TimeZone, language: Language): string {
  const format = dateFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
  return format.format(endsAt.epochMilliseconds)
}
