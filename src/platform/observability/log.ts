import { type DestinationStream, type Level, type Logger, pino } from 'pino'
import { realClock, toRfc3339 } from '#kernel/clock'
import { redactLine } from '#platform/security/redaction'

export type Log = Logger

export type LogLevel = Level | 'silent'

export interface LogOptions {
  /** At `info` requests are logged, at `warn` only those that fail or are slow. */
  readonly level: LogLevel
  readonly destination?: DestinationStream
}

export function createLog(options: LogOptions): Log {
  return pino(
    {
      level: options.level,
      base: null,
      // An RFC 3339 time: 13 digits of milliseconds could be mistaken for a card number.
      timestamp: () => `,"time":"${toRfc3339(realClock.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeError, cause: describeError },
      hooks: { streamWrite: redactLine },
    },
    options.destination ?? standardStream(1),
  )
}

const MAX_UNWRITTEN_BYTES = 1_000_000

/** Ignores write errors, so that a full disk or a closed terminal does not end the process. */
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

const MAX_CAUSES = 5

/** Logs only what locates an error. Errors of drivers also carry rows, parameters and requests. */
function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && { code: error.code }),
    stack: error.stack,
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: describeError(error.cause, depth + 1) }),
  }
}
