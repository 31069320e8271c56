import type { Database } from '#platform/postgres/database'
import type { Log } from '#platform/observability/log'
import { keepPartitions, type PartitionedTable } from '#platform/postgres/partitions/partitions'
import { messageOf } from '#platform/thrown'

const EVERY_MS = 3_600_000

interface UpkeepDependencies {
  readonly db: Pick<Database, 'shared'>
  readonly log: Log
}

export class PartitionUpkeep {
  readonly #deps: UpkeepDependencies
  readonly #tables: readonly PartitionedTable[]
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(deps: UpkeepDependencies, tables: readonly PartitionedTable[]) {
    this.#deps = deps
    this.#tables = tables
  }

  start(): void {
    const run = () => {
      this.#running = this.#keep()
    }
    run()
    this.#timer = setInterval(run, EVERY_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #keep(): Promise<void> {
    for (const table of this.#tables) {
      await keepPartitions(this.#deps.db.shared, table).catch((error: unknown) => {
        const problem = messageOf(error)
        this.#deps.log.warn({ problem, table: table.name }, 'the partitions of a table were not kept')
      })
    }
  }
}
