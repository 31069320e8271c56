import { setTimeout as sleep } from 'node:timers/promises'
import { realNowMs } from '#kernel/clock'

/**
 * How long a process may act on what it knows of a key or a secret. Whoever changes one waits this long before saying
 * that it is done (docs/decisions/0003).
 */
const REMEMBERED_MS = 250
/** About 10 MB: of keys in use at the same time, unknown ones included. */
const MAX_ENTRIES = 10_000

/** Resolves when no process acts any more on what it knew when this was called. */
export function forgottenEverywhere(): Promise<void> {
  return sleep(REMEMBERED_MS + 25)
}

/** What was looked up a moment ago. Those who ask meanwhile wait for the same look-up. */
export class BriefMemory<Known> {
  readonly #remembered = new Map<string, { readonly known: Promise<Known>; readonly untilMs: number }>()

  get(name: string, lookUp: () => Promise<Known>): Promise<Known> {
    const nowMs = realNowMs()
    const found = this.#remembered.get(name)
    // A real clock that was set back must not prolong what is known.
    if (found !== undefined && nowMs < found.untilMs && nowMs >= found.untilMs - REMEMBERED_MS) {
      return found.known
    }
    const known = lookUp()
    this.#remembered.delete(name)
    if (this.#remembered.size >= MAX_ENTRIES) this.#forgetOldest()
    this.#remembered.set(name, { known, untilMs: nowMs + REMEMBERED_MS })
    known.catch(() => this.#remembered.delete(name))
    return known
  }

  #forgetOldest(): void {
    const [oldest] = this.#remembered.keys()
    if (oldest !== undefined) this.#remembered.delete(oldest)
  }
}
