import { READ_AGAIN } from '../declines.ts'
import type { AirwallexResponse } from './airwallex-client.ts'

type Send = (requestId: string) => Promise<AirwallexResponse>

/** A login that ended, and a limit: nothing was run, and nothing is kept under the request id. */
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
 * Repeats a request that may safely run twice. Call it only when the first answer and a read have shown that nothing changed. After
 * a failure it uses the same request id, and a new one if Airwallex has seen that id or the repetition fails, too.
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
