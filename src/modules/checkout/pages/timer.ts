import { html, type Html } from '#platform/http/html'

/**
 * Shows the time that is left. The script counts down, and announces some of the times to screen readers. Without
 * the script the page shows the time that was left when it was sent.
 * @param sentence has the place `{time}`
 */
export function timer(sentence: string, seconds: number): Html {
  const [before = '', after = ''] = sentence.split('{time}')
  return html`<p
    class="timer"
    role="timer"
    aria-live="off"
    data-seconds="${seconds}"
    data-sentence="${sentence}"
  >
    ${before}<bdi class="time">${clockText(seconds)}</bdi>${after}
  </p>`
}

function clockText(seconds: number): string {
  const hours = Math.floor(seconds / 3_600)
  const parts = [Math.floor((seconds % 3_600) / 60), seconds % 60]
  const shown = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return hours > 0 ? `${hours}:${shown}` : shown
}
