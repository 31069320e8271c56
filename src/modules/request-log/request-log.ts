import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import { requestById, requestsPage } from './api/list-requests.ts'
import { matchOf, type Search, type SearchHit, withoutRepeats } from '#platform/search/search'
import type { RequestLogDependencies } from './dependencies.ts'
import type { PartitionedTable } from '#platform/postgres/partitions/partitions'
import type { Entry } from './recording/entry.ts'
import { Recorder } from './recording/recorder.ts'
import { findBeginning, findNaming } from './storage/entry.repository.ts'
import { requestLogTables } from './storage/partitions.ts'

/**
 * - `recorder`: Undefined when the log is turned off.
 * - `search`: By the request id or its beginning.
 * - `naming`: The newest requests that named an object, for its timeline.
 * - `close`: Writes what is still buffered. Call it after the server has stopped.
 */
export class RequestLog {
  readonly #deps: RequestLogDependencies
  readonly recorder: Recorder | undefined
  readonly tables: readonly PartitionedTable[]

  constructor(deps: RequestLogDependencies) {
    this.#deps = deps
    this.recorder = deps.days === 0 ? undefined : new Recorder(deps)
    this.tables = requestLogTables(deps.days)
  }

  page(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    return requestsPage(this.#deps, caller, filter, page)
  }

  byRequestId(caller: Caller, requestId: string): Promise<{ request: object }> {
    return requestById(this.#deps, caller, requestId)
  }

  naming(tx: Tx, objectId: string, limit: number): Promise<Entry[]> {
    return findNaming(tx, objectId, limit)
  }

  async search(tx: Tx, search: Search): Promise<SearchHit[]> {
    const entries = await findBeginning(tx, search.text, search.limit)
    const found = withoutRepeats(entries, ({ requestId }) => requestId).slice(0, search.limit)
    return found.map((entry) => ({
      type: 'request',
      id: entry.requestId,
      parentId: null,
      title: `${entry.method} ${entry.path}`,
      subtitle: entry.reason,
      amount: null,
      state: String(entry.status),
      createdAt: entry.createdAt,
      match: matchOf(search, [entry.requestId]),
    }))
  }

  async close(): Promise<void> {
    await this.recorder?.close()
  }
}
