import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Movement } from './books.ts'
import type { FaultSettings } from './faults.ts'
import type { NoticeSettings } from './notices.ts'

export interface TwinProcess {
  readonly url: string
  readonly port: number
  readonly dir: string
  books(): Promise<Movement[]>
  /** Replaces all faults; `{}` ends them. */
  setFaults(faults: Partial<FaultSettings>): Promise<void>
  pruneKeys(): Promise<void>
  setNotices(settings: Partial<NoticeSettings> & { readonly account?: string }): Promise<void>
  advanceClock(seconds: number): Promise<void>
  /** Calls a control route of the twin, such as `POST /_twin/payout`, and returns the text of its response. */
  control(method: string, path: string, body?: object): Promise<string>
  /**
   * SIGTERM ends the twin and deletes a directory that `startTwin` made; SIGKILL keeps it, so that `startTwin`
   * with the same `dir` finds everything that was acknowledged.
   */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const RUN = fileURLToPath(new URL('../run.ts', import.meta.url))
const START_TIMEOUT_MS = 120_000

/** Starts `twins/run.ts` as a process of its own. Without a `dir` the books live in a temporary directory. */
export async function startTwin(
  acquirer: 'stripe' | 'adyen' | 'airwallex',
  { dir, port = 0 }: { readonly dir?: string; readonly port?: number } = {},
): Promise<TwinProcess> {
  const directory = dir ?? (await mkdtemp(join(tmpdir(), `twin-${acquirer}-`)))
  const child = spawn(process.execPath, [RUN, acquirer, '--port', String(port), '--dir', directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await readUrl(child)

  const control = async (method: string, path: string, body?: object): Promise<string> => {
    const answer = await fetch(`${url}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text
  }
  return {
    url,
    port: Number(new URL(url).port),
    dir: directory,
    books: async () => {
      const text = await control('GET', '/_twin/books')
      const lines = text.split('\n').slice(0, -1)
      return lines.map((line) => JSON.parse(line) as Movement)
    },
    setFaults: async (faults) => void (await control('PUT', '/_twin/faults', faults)),
    pruneKeys: async () => void (await control('POST', '/_twin/prune_keys')),
    setNotices: async (settings) => void (await control('PUT', '/_twin/notices', settings)),
    advanceClock: async (seconds) =>
      void (await control('POST', '/_twin/clock', { advance_seconds: seconds })),
    control,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        child.kill(signal)
        await exited
      }
      if (dir === undefined && signal === 'SIGTERM') await rm(directory, { recursive: true, force: true })
    },
  }
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = ''
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error('The twin did not start in time'))
    }, START_TIMEOUT_MS)
    child.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString()
      const url = /http:\/\/[\d.]+:\d+/.exec(seen)?.[0]
      if (url === undefined || !seen.includes('\n')) return
      clearTimeout(timer)
      resolve(url)
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The twin exited with ${code} before it was ready`))
    })
  })
}
