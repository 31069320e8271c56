import { realClock } from '#kernel/clock'
import { messageOf } from '#platform/thrown'
import type { RequestLogDependencies } from '../dependencies.ts'
import { keepPartitions } from '../storage/partition.repository.ts'

const EVERY_MS = 3_600_000
const DAYS_AHEAD = 2

type Upkeep = Pick<RequestLogDependencies, 'db' | 'log' | 'days'>

export async function makePartitions({ db, days }: Upkeep): Promise<void> {
  const today = realClock.now().toZonedDateTimeISO('UTC').toPlainDate()
  await keepPartitions(db.shared, {
    // A request that began before midnight is written after it.
    first: today.subtract({ days: 1 }),
    last: today.add({ days: DAYS_AHEAD }),
    keepFrom: today.subtract({ days: Math.max(days, 1) }),
  })
}

export class PartitionUpkeep {
  readonly #deps: Upkeep
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(deps: Upkeep) {
    this.#deps = deps
  }

  start(): void {
    const run = () => {
      this.#running = makePartitions(this.#deps).catch((error: unknown) => {
        this.#deps.log.warn({ problem: messageOf(error) }, 'the partitions of the request log were not kept')
      })
    }
    run()
    this.#timer = setInterval(run, EVERY_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }
}
