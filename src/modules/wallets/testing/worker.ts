import { pino } from 'pino'
import { Registry } from 'prom-client'
import { openDatabase } from '#platform/postgres/open-database'
import { EventLog } from '#platform/events/events'
import { renderTransactionData } from '../api/render.ts'
import { Watcher } from '../chain/watcher.ts'
import { parseChains } from '../configuration/configuration.ts'

/** Runs a watcher in a process that a test can kill: `node worker.ts DATABASE_URL CHAINS_JSON`. */
const [, , databaseUrl = '', chains = ''] = process.argv
const watcher = new Watcher({
  db: await openDatabase({ url: databaseUrl, maxConnections: 4, readers: 1 }),
  events: new EventLog(),
  businesses: { profile: async () => ({ number: 1, environment: 'test' }) },
  configuration: { chains: parseChains(chains), deriver: undefined },
  log: pino({ level: 'warn' }),
  registry: new Registry(),
  present: { transaction: renderTransactionData },
})
watcher.start()
