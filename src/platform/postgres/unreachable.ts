import { codeOf } from '#platform/thrown'

/** System errors of a connection that is not made or lost. */
const SYSTEM_ERROR = /^(?:ECONN(?:REFUSED|RESET)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)UNREACH)$/
/** Of a server whose certificate is not trusted, such as `SELF_SIGNED_CERT_IN_CHAIN`. */
const CERTIFICATE_ERROR = /CERT|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/
/** SQLSTATEs of a database that is starting, stopping, full, gone or a replica by now, and of one that does not let us in. */
const SQLSTATE = /^(?:08...|25006|53...|57P0[1-5]|28P01|28000|3D000)$/
/** node-postgres gives these no code. */
const MESSAGE =
  /^(?:Connection terminated|Client was closed|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|The server does not support SSL)/

/** Whether an error says that the database cannot be reached. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isUnreachable)
  const code = codeOf(error)
  if (code === undefined) return MESSAGE.test(error.message)
  // A socket file that is not there.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  return SYSTEM_ERROR.test(code) || CERTIFICATE_ERROR.test(code) || SQLSTATE.test(code)
}
