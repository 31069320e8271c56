import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '#platform/thrown'

const UNIQUE_VIOLATION = '23505'
/** Citus appends the number of the shard to names of constraints, and passes on only the message of another node's error. */
const SHARD_NUMBER = /_\d{6,}$/
const CONSTRAINT_IN_MESSAGE = /"([^"]+)"/

export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error) || codeOf(error) !== UNIQUE_VIOLATION) return false
  const given = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined
  const name = given ?? CONSTRAINT_IN_MESSAGE.exec(error.message)?.[1]
  return name?.replace(SHARD_NUMBER, '') === constraint
}

const SYSTEM_ERROR = /^(?:ECONN(?:REFUSED|RESET)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)UNREACH)$/
const CERTIFICATE_ERROR = /CERT|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/
/** The database is starting, stopping, full or gone, has become a replica, or refuses our login. */
const SQLSTATE = /^(?:08...|25006|53...|57P0[1-5]|28P01|28000|3D000)$/
const MESSAGE =
  /^(?:Connection terminated|Client was closed|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|The server does not support SSL)/

export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isUnreachable)
  const code = codeOf(error)
  if (code === undefined) return MESSAGE.test(error.message)
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  return SYSTEM_ERROR.test(code) || CERTIFICATE_ERROR.test(code) || SQLSTATE.test(code)
}

const DEADLOCK_DETECTED = '40P01'
const SERIALIZATION_FAILURE = '40001'
const TRANSACTION_TIMEOUT = '25P04'
const MAX_ATTEMPTS = 5
/** Those who met once would meet again if all went on at the same moment. */
const MAX_PAUSE_MS = 50

export async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw error
      if (attempt > 1) await sleep(Math.random() * MAX_PAUSE_MS)
    }
  }
}

/** Whether the transaction that failed with `error` certainly left nothing. @param wasWorkDone whether it failed at its commit */
export function isRolledBack(error: unknown, wasWorkDone: boolean): boolean {
  if (isUnreachable(error)) return false
  return !wasWorkDone || error instanceof ClockMoved || /^[0-9A-Z]{5}$/.test(codeOf(error) ?? '')
}

export class ClockMoved extends Error {}

export class TookTooLong extends Error {
  readonly code = TRANSACTION_TIMEOUT

  constructor() {
    super('the transaction took too long')
  }
}

function isRetryable(error: unknown): boolean {
  if (error instanceof ClockMoved || error instanceof TookTooLong) return true
  const code = codeOf(error)
  return code === DEADLOCK_DETECTED || code === SERIALIZATION_FAILURE
}
