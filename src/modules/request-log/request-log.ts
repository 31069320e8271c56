import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { requestById, requestsPage } from './api/list-requests.ts'
import type { RequestLogDependencies } from './dependencies.ts'
import { PartitionUpkeep } from './partitions/partition-upkeep.ts'
import { Recorder } from './recording/recorder.ts'

/**
 * - `recorder`: Undefined when the log is turned off.
 * - `upkeep`: Runs in a worker process.
 * - `close`: Writes what is still buffered. Call it after the server has stopped.
 */
export class RequestLog {
  readonly #deps: RequestLogDependencies
  readonly recorder: Recorder | undefined
  readonly upkeep: PartitionUpkeep

  constructor(deps: RequestLogDependencies) {
    this.#deps = deps
    this.recorder = deps.days === 0 ? undefined : new Recorder(deps)
    this.upkeep = new PartitionUpkeep(deps)
  }

  page(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    return requestsPage(this.#deps, caller, filter, page)
  }

  byRequestId(caller: Caller, requestId: string): Promise<{ request: object }> {
    return requestById(this.#deps, caller, requestId)
  }

  async close(): Promise<void> {
    await this.recorder?.close()
  }
}
