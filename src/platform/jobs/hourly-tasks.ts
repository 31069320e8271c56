import type { Log } from '#platform/observability/log'
import { messageOf } from '#platform/thrown'

const EVERY_MS = 3_600_000

export interface HourlyTask {
  readonly name: string
  readonly run: () => Promise<void>
}

export class HourlyTasks {
  readonly #log: Log
  readonly #tasks: readonly HourlyTask[]
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(log: Log, tasks: readonly HourlyTask[]) {
    this.#log = log
    this.#tasks = tasks
  }

  start(): void {
    const run = () => {
      this.#running = this.#runAll()
    }
    run()
    this.#timer = setInterval(run, EVERY_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #runAll(): Promise<void> {
    for (const { name, run } of this.#tasks) {
      await run().catch((error: unknown) => {
        this.#log.warn({ problem: messageOf(error), task: name }, 'an hourly task failed')
      })
    }
  }
}
