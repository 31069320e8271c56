import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, PAYMENTS } from '../../../scenarios/harness/client.ts'

/** A client that gets no response stops waiting and sends the request again. */
const TIMEOUT_MS = 3_000
const PAUSE_MS = 50
const LOST_AFTER_MS = 60_000

/**
 * Measures how long it takes until the service acknowledges a write through its API. Writes that began before do not
 * count.
 */
export async function msUntilItWrites(client: Client, signal: AbortSignal): Promise<number> {
  const startedAtMs = performance.now()
  for (;;) {
    signal.throwIfAborted()
    const waitedMs = performance.now() - startedAtMs
    if (waitedMs > LOST_AFTER_MS)
      throw new Error(`the service does not write ${LOST_AFTER_MS / 1000} s after a failover`)
    const timeout = sleep(TIMEOUT_MS, undefined, { ref: false })
    const asked = client
      .call('POST', `${PAYMENTS}/customers`, {
        customer: { reference_number: `probe-${performance.now()}`, name: 'Probe', phone: '91234567' },
      })
      .catch(() => undefined)
    const reply = await Promise.race([asked, timeout])
    if (reply?.status === 200) return performance.now() - startedAtMs
    if (reply !== undefined && reply.status !== 503) {
      throw new Error(`the probe got ${reply.status}: ${JSON.stringify(reply.data)}`)
    }
    await sleep(PAUSE_MS)
  }
}
