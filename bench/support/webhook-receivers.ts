import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/embedded-postgres/free-port'
import { collectOutput, spawnProgram, stopProcess, waitUntilReady } from '../../scenarios/harness/service.ts'

/** What the process of the receivers has seen since it was last told to forget. */
export interface ReceiverCounts {
  readonly ports: readonly number[]
  readonly accepted: number
  /** Of the messages that were accepted, in real time. */
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** From the change that an event is of to its arrival; null unless it was asked for. */
  readonly medianDelayMs: number | null
  /** The first message of all. */
  readonly sample: { readonly headers: Readonly<Record<string, unknown>>; readonly body: string } | undefined
}

export interface Receivers {
  readonly urls: readonly string[]
  /** Those that answer. */
  readonly healthy: readonly string[]
  medianDelayMs(): Promise<number>
  reset(): Promise<void>
  /** Waits until so many messages were accepted. */
  accepted(count: number, withinMs: number): Promise<ReceiverCounts>
  stop(): Promise<void>
}

/** Starts `count` receivers; every `deadEvery`th takes messages and never answers (0: none). */
export async function startReceivers(count: number, deadEvery: number): Promise<Receivers> {
  const port = await freePort()
  const child = spawnProgram('bench/webhook-receiver.ts', [port, count, deadEvery].map(String), {})
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return (await response.json()) as ReceiverCounts
  }
  await waitUntilReady(`http://127.0.0.1:${port}/`, child, collectOutput(child))
  const { ports } = await ask('/')
  const urls = ports.map((each) => `http://127.0.0.1:${each}/events`)
  return {
    urls,
    healthy: urls.filter((_, index) => deadEvery === 0 || (index + 1) % deadEvery !== 0),
    medianDelayMs: async () => (await ask('/delays')).medianDelayMs ?? Number.NaN,
    reset: async () => void (await ask('/reset')),
    accepted: async (wanted, withinMs) => {
      const endsAt = performance.now() + withinMs
      for (;;) {
        const counts = await ask('/')
        if (counts.accepted >= wanted) return counts
        if (performance.now() > endsAt) throw new Error(`${counts.accepted} of ${wanted} messages came`)
        await sleep(50)
      }
    },
    stop: () => stopProcess(child, 'SIGKILL'),
  }
}
