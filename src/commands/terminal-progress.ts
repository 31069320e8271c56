import { realNowMs } from '#kernel/clock'

/** Standard error, as far as it matters here. */
export interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** What a long command is at, for whoever sits before it. */
export interface Progress {
  at(step: string): void
  end(): void
}

const ERASE_LINE = '\r\u001B[K'
/** A command that is over by then shows nothing. */
const DRAW_EVERY_MS = 1_000

/** One line that is drawn again and again, and is gone at the end. What is no terminal, such as a log, is told nothing. */
export function showProgress(terminal: Terminal): Progress {
  if (terminal.isTTY !== true) return { at: () => {}, end: () => {} }
  const begunAtMs = realNowMs()
  let now = ''
  const timer = setInterval(() => {
    const seconds = Math.round((realNowMs() - begunAtMs) / 1_000)
    terminal.write(`${ERASE_LINE}${now} (${seconds} s)`)
  }, DRAW_EVERY_MS)
  return {
    at: (step) => {
      now = step
    },
    end: () => {
      clearInterval(timer)
      terminal.write(ERASE_LINE)
    },
  }
}
