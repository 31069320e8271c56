import { realNowMs } from '#kernel/clock'
import type { Output } from './terminal.ts'

export interface Progress {
  report(step: string): void
  end(): void
}

const ERASE_LINE = '\r\u001B[K'
/** The text shows whole seconds. */
const REDRAW_MS = 1_000

export function showProgress(output: Output): Progress {
  if (output.isTTY !== true) return { report: () => {}, end: () => {} }
  const startedAtMs = realNowMs()
  let step = ''
  const timer = setInterval(() => {
    const seconds = Math.round((realNowMs() - startedAtMs) / 1_000)
    output.write(`${ERASE_LINE}${step} (${seconds} s)`)
  }, REDRAW_MS)
  return {
    report: (next) => {
      step = next
    },
    end: () => {
      clearInterval(timer)
      output.write(ERASE_LINE)
    },
  }
}
