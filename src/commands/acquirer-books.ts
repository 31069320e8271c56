import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { OperatorError } from '#kernel/operator-error'
import { startSimulator } from '#modules/acquirers'
import type { BookLine } from '#modules/payments'
import type { Config } from '#platform/config'
import { replaceFile } from '#platform/durable-file'
import type { Log } from '#platform/observability/log'

class CannotReadBooks extends OperatorError {
  constructor(url: string, reason: string, options?: ErrorOptions) {
    super(
      `Cannot read the acquirer's books at ${url}: ${reason}. Check SIMULATOR_URL and the free space on the simulator's disk.`,
      options,
    )
  }
}

function addressFile(config: Config): string {
  return join(config.dataDir, 'simulator', 'address.json')
}

export async function startOwnSimulator(
  config: Config,
  log: Log,
): Promise<{ url: string; close(): Promise<void> }> {
  const simulator = await startSimulator({ port: 0, dir: join(config.dataDir, 'simulator'), log })
  try {
    replaceFile(addressFile(config), JSON.stringify({ url: simulator.url }))
    return simulator
  } catch (error) {
    await simulator.close()
    throw error
  }
}

/**
 * Passes the books of this installation's simulator to `read`: the one at SIMULATOR_URL, the one inside the running service, or
 * the one in DATA_DIR. Passes undefined if there is none, or with DATABASE_URL but no SIMULATOR_URL, because the simulator in
 * DATA_DIR may belong to another database.
 */
export async function withBooks<T>(
  config: Config,
  log: Log,
  read: (books: AsyncIterable<BookLine> | undefined) => Promise<T>,
): Promise<T> {
  if (config.simulatorUrl !== undefined) return read(booksAt(config.simulatorUrl))
  if (config.databaseUrl !== undefined) return read(undefined)
  const running = await runningAddress(config)
  if (running !== undefined) return read(booksAt(running))
  if (!existsSync(join(config.dataDir, 'simulator'))) return read(undefined)
  const simulator = await startOwnSimulator(config, log)
  try {
    return await read(booksAt(simulator.url))
  } finally {
    await simulator.close()
  }
}

async function runningAddress(config: Config): Promise<string | undefined> {
  // The file may be missing, or unreadable after a crash of the machine.
  const url = await readFile(addressFile(config), 'utf8')
    .then((text) => (JSON.parse(text) as { url: string }).url)
    .catch(() => undefined)
  if (url === undefined) return undefined
  // 503 means that the simulator's disk is full; the simulator still owns the books.
  const isRunning = await fetch(`${url}/health`).then(
    ({ status }) => status === 200 || status === 503,
    () => false,
  )
  return isRunning ? url : undefined
}

async function* booksAt(url: string): AsyncGenerator<BookLine> {
  const response = await fetch(`${url}/books`).catch((error: unknown) => {
    throw new CannotReadBooks(url, 'nothing is listening there', { cause: error })
  })
  if (!response.ok || response.body === null)
    throw new CannotReadBooks(url, `it responded with HTTP ${response.status}`)
  const lines = createInterface({ input: Readable.fromWeb(response.body) })
  for await (const line of lines) yield JSON.parse(line) as BookLine
}
