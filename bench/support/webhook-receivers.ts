import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/embedded-postgres/free-port'
import { collectOutput, spawnProgram, stopProcess, waitUntilReady } from '../../scenarios/harness/service.ts'

export interface ReceiverCounts {
  readonly ports: readonly number[]
  readonly accepted: number
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** From the event's timestamp to its arrival. Only the path `/delays` has it. */
  readonly medianDelayMs: number | null
  readonly sample: { readonly headers: Readonly<Record<string, unknown>>; readonly body: string } | undefined
}

export interface Receivers {
  readonly urls: readonly string[]
  readonly healthy: readonly string[]
  medianDelayMs(): Promise<number>
  reset(): Promise<void>
  accepted(count: number, timeoutMs: number): Promise<ReceiverCounts>
  stop(): Promise<void>
}

/** Starts `count` receivers. Every `deadEvery`th one never responds; 0 means none. */
export async function startReceivers(count: number, deadEvery: number): Promise<Receivers> {
  const port = await freePort()
  const child = spawnProgram('bench/webhook-receiver.ts', [port, count, deadEvery].map(String), {})
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return (await response.json()) as ReceiverCounts
  }
  await waitUntilReady(`http://127.0.0.1:${port}/`, child, collectOutput(child))
  const { ports } = await get('/')
  const urls = ports.map((each) => `http://127.0.0.1:${each}/events`)
  return {
    urls,
    healthy: urls.filter((_, index) => deadEvery === 0 || (index + 1) % deadEvery !== 0),
    medianDelayMs: async () => (await get('/delays')).medianDelayMs ?? Number.NaN,
    reset: async () => void (await get('/reset')),
    accepted: async (expected, timeoutMs) => {
      const deadlineMs = performance.now() + timeoutMs
      for (;;) {
        const counts = await get('/')
        if (counts.accepted >= expected) return counts
        if (performance.now() > deadlineMs)
          throw new Error(`${counts.accepted} of ${expected} messages arrived`)
        await sleep(50)
      }
    },
    stop: () => stopProcess(child, 'SIGKILL'),
  }
}
