import { BatchQueue } from '#platform/batches/batch-queue'
import { type Outcome, outcomeOf, type RunSet } from '#platform/batches/run-set'
import type { Database } from '#platform/postgres/database'
import { currentRequest } from '#platform/request-scope'

export { type Outcome, outcomeOf }

/**
 * - `run`: Runs members in one transaction, as `Database.transact` does, and returns an outcome for each. What it throws
 *   fails the set: the members of a larger set then run again, each alone.
 * - `subjectOf`: What a set locks for its member. A subject is in one set at a time.
 */
export interface BatchOptions<Request, Value> {
  readonly run: RunSet<Request, Value>
  readonly subjectOf?: (request: Request) => string
}

/**
 * Callers of one tenant that wait for a connection at the same moment run in one transaction (docs/decisions/decision-batches). A caller who
 * comes while no set of its tenant runs starts at once, and takes along who waits when it has its connection.
 */
export class Batches<Request, Value> {
  readonly #db: Pick<Database, 'transact'>
  readonly #options: BatchOptions<Request, Value>
  readonly #queues = new Map<string, BatchQueue<Request, Value>>()

  constructor(db: Pick<Database, 'transact'>, options: BatchOptions<Request, Value>) {
    this.#db = db
    this.#options = options
  }

  /** Throws the error that refuses this member, or what its transaction threw; 503 when too many wait, or it waited too long. */
  async submit(businessId: string, request: Request): Promise<Value> {
    const priority = currentRequest()?.priority ?? 'background'
    const key = `${priority} ${businessId}`
    let queue = this.#queues.get(key)
    if (queue === undefined) {
      queue = new BatchQueue({
        priority,
        transact: (work) => this.#db.transact(businessId, work),
        run: this.#options.run,
        subjectOf: this.#options.subjectOf,
        onIdle: () => this.#queues.delete(key),
      })
      this.#queues.set(key, queue)
    }
    return queue.submit(request)
  }
}
