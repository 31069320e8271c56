import { BatchQueue } from '#platform/batches/batch-queue'
import { type Outcome, outcomeOf, type RunSet } from '#platform/batches/run-set'
import type { Database } from '#platform/postgres/database'
import { currentRequest } from '#platform/request-scope'

export { type Outcome, outcomeOf }

/**
 * - `run`: Runs members in one transaction, as `Database.transact` does, and returns an outcome for each. An error that it
 *   throws fails the set. If the set has several members, each then runs again alone.
 * - `subjectOf`: What a set locks for its member. A subject is in one set at a time.
 */
export interface BatchOptions<Request, Value> {
  readonly run: RunSet<Request, Value>
  readonly subjectOf?: (request: Request) => string
}

/**
 * Callers of one tenant that wait for a connection at the same moment run in one transaction (docs/decisions/0044-decision-batches).
 * If no set of its tenant is running, a caller starts one at once. A set waits for its connection as one waiter that is as old as
 * its oldest member. Callers that wait when the set has its connection join it.
 */
export class Batches<Request, Value> {
  readonly #db: Pick<Database, 'transact'>
  readonly #options: BatchOptions<Request, Value>
  readonly #queues = new Map<string, BatchQueue<Request, Value>>()

  constructor(db: Pick<Database, 'transact'>, options: BatchOptions<Request, Value>) {
    this.#db = db
    this.#options = options
  }

  /** Throws this member's refusal, or its transaction's error. Throws 503 if too many wait, or this member waited too long. */
  async submit(businessId: string, request: Request): Promise<Value> {
    const priority = currentRequest()?.priority ?? 'background'
    const key = `${priority} ${businessId}`
    let queue = this.#queues.get(key)
    if (queue === undefined) {
      queue = new BatchQueue({
        priority,
        transact: (work, waitingSinceMs) => this.#db.transact(businessId, work, { waitingSinceMs }),
        run: this.#options.run,
        subjectOf: this.#options.subjectOf,
        onIdle: () => this.#queues.delete(key),
      })
      this.#queues.set(key, queue)
    }
    return queue.submit(request)
  }
}
