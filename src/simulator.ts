import { join } from 'node:path'
import { pino } from 'pino'
import { startSimulator } from '#modules/acquirers'
import { standardStream } from '#platform/observability/log'
import { messageOf } from '#platform/thrown'

const dir = process.env.SIMULATOR_DIR || join(process.env.DATA_DIR || './data', 'simulator')
// Errors only, to stderr: stdout carries nothing but the URL line.
const log = pino({ level: 'error' }, standardStream(2))

try {
  const port = readPort(process.env.SIMULATOR_PORT || '8090')
  const simulator = await startSimulator({ host: process.env.SIMULATOR_HOST || '127.0.0.1', port, dir, log })
  process.stdout.write(`The acquirer simulator is listening on ${simulator.url}\n`)
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      void simulator.close().then(() => process.exit(0))
    })
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text)
  throw new Error(`SIMULATOR_PORT must be a port number from 0 to 65535, not ${text}.`)
}
