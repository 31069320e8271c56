import type { Log } from '#platform/observability/log'
import { messageOf } from '#platform/thrown'

export interface PeriodicTask {
  readonly name: string
  readonly run: () => Promise<unknown>
}

export class PeriodicTasks {
  readonly #log: Log
  readonly #everyMs: number
  readonly #tasks: readonly PeriodicTask[]
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(log: Log, everyMs: number, tasks: readonly PeriodicTask[]) {
    this.#log = log
    this.#everyMs = everyMs
    this.#tasks = tasks
  }

  start(): void {
    const run = () => {
      this.#running ??= this.#runAll().finally(() => (this.#running = undefined))
    }
    run()
    this.#timer = setInterval(run, this.#everyMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #runAll(): Promise<void> {
    for (const { name, run } of this.#tasks) {
      await run().catch((error: unknown) => {
        this.#log.warn({ problem: messageOf(error), task: name }, 'a periodic task failed')
      })
    }
  }
}
