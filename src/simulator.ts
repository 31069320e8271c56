import { join } from 'node:path'
import { pino } from 'pino'
import { startSimulator } from '#modules/acquirers'
import { standardStream } from '#platform/observability/log'
import { messageOf } from '#platform/thrown'

/**
 * `npm run simulator`: the acquirer simulator as a process of its own (decisions, section 10). Prints one line with its
 * URL once it answers; SIGTERM and SIGINT let what is under way finish.
 */
const dir = process.env.SIMULATOR_DIR || join(process.env.DATA_DIR || './data', 'simulator')
// To stderr, and only what is wrong: stdout has the one line.
const log = pino({ level: 'error' }, standardStream(2))

try {
  const port = readPort(process.env.SIMULATOR_PORT || '8090')
  const simulator = await startSimulator({ port, dir, log })
  process.stdout.write(`The acquirer simulator answers on ${simulator.url}\n`)
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
  throw new Error(`SIMULATOR_PORT must be a port number, not ${text}.`)
}
