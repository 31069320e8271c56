import { setTimeout as sleep } from 'node:timers/promises'
import { RequestError } from '#kernel/errors'
import { isUnreachable } from '#platform/postgres/unreachable'
import { errors } from '../api/errors.ts'

/** A connection that was cut is replaced in a moment, a database that failed over in a few seconds. */
const PAUSES_MS = [50, 500, 2_000]

/**
 * Records what the acquirer said to whoever waits for it. An outcome that cannot be recorded is not known yet, 504: after a
 * 503 the request may be sent again (decisions, section 1), and without an Idempotency-Key that would charge twice. The
 * resolver finds it out, or goes on with the order's void, and recording twice is harmless.
 */
export async function recordForCaller<Recorded>(record: () => Promise<Recorded>): Promise<Recorded> {
  for (let tries = 0; ; tries++) {
    try {
      return await record()
    } catch (error) {
      if (error instanceof RequestError) throw error
      const pauseMs = PAUSES_MS[tries]
      if (pauseMs === undefined || !isUnreachable(error)) {
        throw errors.outcome_unknown({
          message:
            'What the acquirer said could not be recorded, so the outcome is not known yet. It will be.',
          cause: error,
        })
      }
      await sleep(pauseMs)
    }
  }
}
