import { type DestinationStream, type Level, type Logger, pino } from 'pino'
import { realClock, toRfc3339 } from '#kernel/clock'
import { redactLine } from '#platform/security/redaction'

/** What the program writes about itself: JSON lines on standard output, without secrets. */
export type Log = Logger

export type LogLevel = Level | 'silent'

export interface LogOptions {
  /** `LOG_LEVEL`. At `debug` every request writes a line; at `info` those that are refused, fail or are slow. */
  readonly level: LogLevel
  readonly destination?: DestinationStream
}

export function createLog(options: LogOptions): Log {
  return pino(
    {
      level: options.level,
      base: null,
      // Text, so that thirteen digits of milliseconds are never taken for a card number.
      timestamp: () => `,"time":"${toRfc3339(realClock.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeError, cause: describeError },
      hooks: { streamWrite: redactLine },
    },
    options.destination ?? standardStream(1),
  )
}

/** What is kept of a log that cannot be written now; more is dropped. */
const MAX_UNWRITTEN_BYTES = 1_000_000

/** Standard output or error. A full disk behind it, or a terminal that was closed, must not end the process. */
export function standardStream(fd: 1 | 2): DestinationStream {
  const stream = pino.destination({ fd, sync: true, maxLength: MAX_UNWRITTEN_BYTES })
  stream.on('error', () => {})
  return stream
}

interface DescribedError {
  readonly type: string
  readonly message: string
  readonly code?: unknown
  readonly stack?: string | undefined
  readonly cause?: DescribedError
}

const DEEPEST_CAUSE = 5

/** Errors of drivers carry rows, parameters and requests; only what says where and why is written. */
function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && { code: error.code }),
    stack: error.stack,
    ...(error.cause !== undefined &&
      depth < DEEPEST_CAUSE && { cause: describeError(error.cause, depth + 1) }),
  }
}
