import { parseArgs } from 'node:util'
import { type OpenTwin, startTwinServer } from './common/server.ts'

/** `npm run twin -- stripe|adyen|airwallex --port 12111 --dir ./twin-data` */
const TWINS: Readonly<Record<string, { readonly title: string; readonly load: () => Promise<OpenTwin> }>> = {
  stripe: {
    title: 'Stripe',
    load: async () => (await import('./stripe/stripe-twin.ts')).openStripeTwin,
  },
  adyen: {
    title: 'Adyen',
    load: async () => (await import('./adyen/adyen-twin.ts')).openAdyenTwin,
  },
  airwallex: {
    title: 'Airwallex',
    load: async () => (await import('./airwallex/airwallex-twin.ts')).openAirwallexTwin,
  },
}
const DEFAULT_PORT = '12111'
const USAGE = `Usage: npm run twin -- ${Object.keys(TWINS).join('|')} [--port ${DEFAULT_PORT}] [--dir ./twin-data]`

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string', default: DEFAULT_PORT },
      dir: { type: 'string', default: './twin-data' },
    },
  })
  const twin = TWINS[positionals[0] ?? '']
  if (twin === undefined || !/^\d{1,5}$/.test(values.port)) throw new Error(USAGE)
  const server = await startTwinServer(await twin.load(), { port: Number(values.port), dir: values.dir })
  process.stdout.write(
    `The twin of ${twin.title} is listening on ${server.url}; its books are in ${values.dir}\n`,
  )
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)))
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
