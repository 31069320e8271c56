import { READ_AGAIN } from '../declines.ts'
import type { AirwallexResponse } from './airwallex-client.ts'

type Send = (requestId: string) => Promise<AirwallexResponse>

/** Of these, a login and a limit, it is known that nothing was run and that nothing is kept under the request id. */
const NOT_KEPT: ReadonlySet<number | undefined> = new Set([401, 429])

/**
 * Whether the answer may be all that its request id ever gets: it is not documented whether a failed request uses its id up, nor
 * whether a repetition gets the first answer (reference/acquirers#airwallex).
 */
export function isSpent(response: AirwallexResponse): boolean {
  if (response.kind === 'error') return READ_AGAIN.has(response.code)
  return response.kind === 'unknown' && response.status !== undefined && !NOT_KEPT.has(response.status)
}

/**
 * Sends a request that does no harm twice again, after its first answer and a read showed that it changed nothing: as the same
 * operation, unless Airwallex has said that it has seen it, and then as a new one.
 */
export async function sendAgain(
  first: AirwallexResponse,
  send: Send,
  requestId: string,
): Promise<AirwallexResponse> {
  if (first.kind === 'unknown') {
    const second = await send(requestId)
    if (!isSpent(second)) return second
  }
  return send(crypto.randomUUID())
}
