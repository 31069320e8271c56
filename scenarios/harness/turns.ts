import type { ChildProcess } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { REPOSITORY_ROOT } from './service.ts'

/** Measures how long a service in a process of its own keeps its event loop from the next turn. */
export class TurnWatch {
  readonly env: Readonly<Record<string, string>>
  readonly #file: string

  /** @param folder of the watch's own file */
  constructor(folder: string) {
    this.#file = join(folder, 'longest-turn')
    this.env = {
      TURN_WATCH_FILE: this.#file,
      NODE_OPTIONS: `--import=${join(REPOSITORY_ROOT, 'scenarios/harness/turn-watch.js')}`,
    }
  }

  /** The longest turn during the work, in ms of processor time. */
  async during(service: ChildProcess, work: () => Promise<unknown>): Promise<number> {
    await this.#read(service)
    await work()
    return this.#read(service)
  }

  async #read(service: ChildProcess): Promise<number> {
    await rm(this.#file, { force: true })
    service.kill('SIGUSR2')
    for (;;) {
      const text = await readFile(this.#file, 'utf8').catch(() => undefined)
      if (text !== undefined) return Number(text)
      await sleep(5)
    }
  }
}
