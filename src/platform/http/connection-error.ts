import type { Socket } from 'node:net'
import type { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import { errorEnvelope, JSON_UTF8 } from '#platform/envelope'
import { platformErrors } from '#platform/errors'

/**
 * Replies if Node could not parse a request, or the request came too slowly. There is no response object, so the reply is
 * written to the socket.
 */
export function replyToConnectionError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const problem = problemOf(error.code)
  const requestId = newId('req')
  const body = errorEnvelope(problem, requestId)
  socket.end(
    `HTTP/1.1 ${problem.status} ${REASON_PHRASES[problem.status] ?? 'Bad Request'}\r\n` +
      `content-type: ${JSON_UTF8}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n` +
      `x-request-id: ${requestId}\r\n` +
      `connection: close\r\n\r\n${body}`,
  )
}

const REASON_PHRASES: Readonly<Record<number, string>> = {
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
}

function problemOf(code: string | undefined): RequestError {
  if (code === 'HPE_HEADER_OVERFLOW') return platformErrors.headers_too_large()
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return platformErrors.payload_too_large()
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return platformErrors.request_timeout()
  return platformErrors.malformed_request()
}
