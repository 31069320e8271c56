/**
 * Measures searches, lists with filters and timelines in a large tenant beside a small one in the same database: their
 * times should not differ by more than a factor of two. `--short` fills 200,000 orders, `--orders 1000000` as many.
 * Ten million orders need 45 GB below TMPDIR. With `--assert` a median beyond the aim, plus the slack of shared
 * machines, fails the run.
 */
import { Pool } from 'undici'
import { Client } from '../scenarios/harness/client.ts'
import { createBusiness } from '../scenarios/harness/command-line.ts'
import { vacuumAndCheckpoint, withDatabase } from './support/database.ts'
import { fillTenants, PATHS, type TenantSize } from './support/large-tenant.ts'
import { median, percentile, SLACK } from './support/report.ts'
import { startBenchService } from './support/service.ts'

const AIM = 2
/** Below this a ratio says nothing: one page more from the cache is half a millisecond. */
const NEGLIGIBLE_MS = 5
const SMALL: TenantSize = { orders: 10_000, customers: 1_000 }
const WARM_UP = 20

interface Question {
  readonly name: string
  /** @param n a number between 1 and the number of orders */
  readonly path: (n: number, size: TenantSize) => string
}

const id = (prefix: string, n: number) => `${prefix}_0${String(n).padStart(25, '0')}`
const search = (query: string) => `${PATHS.search}?query=${encodeURIComponent(query)}`
const list = (path: string, filter: string) => `${path}?filter=${encodeURIComponent(filter)}`
const customerOf = (n: number, { customers }: TenantSize) => 1 + (n % customers)
const cents = (n: number) => ((1000 + ((n * 7919) % 9_000_000)) / 100).toFixed(2)
const SYLLABLES = 'ka li mo ra ta shi nel bor vin dra qua pel zu fen gor hal'.split(' ')
const given = (n: number, step: number) =>
  `${SYLLABLES[(n * step) % 16]}${SYLLABLES[(Math.floor(n / 16) * step) % 16]}${SYLLABLES[Math.floor(n / 256) % 16]}`
const swapped = (word: string) => `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`

const QUESTIONS: readonly Question[] = [
  { name: 'search: order number', path: (n) => search(id('ord', n)) },
  { name: 'search: reference', path: (n) => search(`o-${n}`) },
  { name: 'search: beginning of a reference', path: (n) => search(`o-${String(n).slice(0, 2)}`) },
  { name: 'search: payment reference', path: (n) => search(`p-${n}`) },
  { name: 'search: amount', path: (n) => search(cents(n)) },
  { name: 'search: last four digits', path: (n) => search(String(n % 9973).padStart(4, '0')) },
  {
    name: 'search: full name',
    path: (n, size) => search(`${given(customerOf(n, size), 7)} ${given(customerOf(n, size), 5)}`),
  },
  { name: 'search: common surname', path: () => search('chan') },
  { name: 'search: two letters', path: () => search('ch') },
  {
    name: 'search: surname first',
    path: (n, size) => search(`wong ${given(customerOf(n, size), 7).slice(0, 3)}`),
  },
  {
    name: 'search: e-mail address',
    path: (n, size) => search(`${given(customerOf(n, size), 7)}.${given(customerOf(n, size), 5)}.chan`),
  },
  { name: 'search: domain of many', path: (n) => search(`mail${n % 20}.example`) },
  { name: 'search: phone number', path: (n, size) => search(String(90_000_000 + customerOf(n, size))) },
  {
    name: 'search: phone number with a country code',
    path: (n, size) => search(`+852 ${90_000_000 + customerOf(n, size)}`),
  },
  {
    name: 'search: name with a typing error',
    path: (n, size) => search(swapped(given(customerOf(n, size), 7))),
  },
  {
    name: 'search: two words with errors',
    path: (n, size) =>
      search(`${swapped(given(customerOf(n, size), 7))} ${swapped(given(customerOf(n, size), 5))}`),
  },
  { name: 'search: e-mail with an error', path: (n) => search(`kkaalika.${n % 7}@mial3.example`) },
  { name: 'search: nothing', path: (n) => search(`zzqxy${n}`) },
  { name: 'orders: newest', path: () => PATHS.orders },
  {
    name: 'orders: of a customer',
    path: (n, size) => list(PATHS.orders, `customer.uuid = ${id('cus', customerOf(n, size))}`),
  },
  { name: 'orders: by amount', path: (n) => list(PATHS.orders, `initial_total = ${cents(n)}`) },
  { name: 'orders: rare state', path: () => list(PATHS.orders, 'state = voided') },
  { name: 'orders: state that none has', path: () => list(PATHS.orders, 'state = expired') },
  { name: 'orders: open', path: () => list(PATHS.orders, 'state = open') },
  { name: 'orders: a day', path: (n) => list(PATHS.orders, `created_at = "${day(n)}"`) },
  {
    name: 'orders: beginning of a reference',
    path: (n) => list(PATHS.orders, `reference_number = "o-${n}*"`),
  },
  { name: 'transactions: newest', path: () => PATHS.transactions },
  { name: 'transactions: failed', path: () => list(PATHS.transactions, 'state = failed') },
  { name: 'transactions: rare reason', path: () => list(PATHS.transactions, 'decline_code = stolen_card') },
  {
    name: 'transactions: in progress',
    path: () => list(PATHS.transactions, 'state = initiated OR state = unknown'),
  },
  { name: 'transactions: refunds', path: () => list(PATHS.transactions, 'type = Refund') },
  { name: 'transactions: by amount', path: (n) => list(PATHS.transactions, `amount = ${cents(n)}`) },
  {
    name: 'transactions: last four digits',
    path: (n) => list(PATHS.transactions, `last_4_digits = "${String(n % 9973).padStart(4, '0')}"`),
  },
  {
    name: 'transactions: of a customer',
    path: (n, size) => list(PATHS.transactions, `customer_uuid = ${id('cus', customerOf(n, size))}`),
  },
  {
    name: 'transactions: account without any',
    path: () => list(PATHS.transactions, 'account_id = acq_none'),
  },
  { name: 'customers: newest', path: () => PATHS.customers },
  {
    name: 'customers: rare name',
    path: (n, size) =>
      list(PATHS.customers, `name = "${given(customerOf(n, size), 7)} ${given(customerOf(n, size), 5)}*"`),
  },
  { name: 'customers: common surname', path: () => list(PATHS.customers, 'name = "chan*"') },
  {
    name: 'customers: e-mail address',
    path: (n, size) => list(PATHS.customers, `email = "${given(customerOf(n, size), 7)}.*"`),
  },
  {
    name: 'customers: phone number',
    path: (n, size) => list(PATHS.customers, `phone = ${90_000_000 + customerOf(n, size)}`),
  },
  { name: 'events: newest', path: () => PATHS.events },
  { name: 'timeline of an order', path: (n) => `${PATHS.orders}/${id('ord', n)}/timeline` },
]

function day(n: number): string {
  return new Date(Date.now() - (1 + (n % 700)) * 86_400_000).toISOString().slice(0, 10)
}

function argumentOf(name: string): string | undefined {
  const index = process.argv.indexOf(`--${name}`)
  return index < 0 ? undefined : process.argv[index + 1]
}

async function benchLists(large: TenantSize, rounds: number): Promise<boolean> {
  const service = await startBenchService()
  try {
    const small = new Client(await createBusiness(service))
    const startedAtMs = performance.now()
    await withDatabase(service.postgresUrl, (database) =>
      fillTenants(database, [
        { client: small, size: SMALL },
        { client: service.client, size: large },
      ]),
    )
    await vacuumAndCheckpoint(service.postgresUrl)
    const seconds = Math.round((performance.now() - startedAtMs) / 1_000)
    console.log(`filled ${large.orders} orders and ${large.customers} customers in ${seconds} s`)
    const tenants = [
      { client: small, size: SMALL, pool: new Pool(small.sandbox.base_url, { connections: 1 }) },
      { client: service.client, size: large, pool: new Pool(small.sandbox.base_url, { connections: 1 }) },
    ] as const
    let holds = true
    for (const question of QUESTIONS) {
      const times = await measure(tenants, question, rounds)
      if (times === undefined) console.log(`${question.name}: skipped, because there is no such route`)
      else holds = report(question.name, times) && holds
    }
    for (const { pool } of tenants) await pool.close()
    return holds
  } finally {
    await service.stop()
  }
}

interface MeasuredTenant {
  readonly client: Client
  readonly size: TenantSize
  readonly pool: Pool
}

/** Both tenants take turns, so that other load on the machine slows both. */
async function measure(
  tenants: readonly [MeasuredTenant, MeasuredTenant],
  question: Question,
  rounds: number,
): Promise<[number[], number[]] | undefined> {
  const times: [number[], number[]] = [[], []]
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [index, { client, size, pool }] of tenants.entries()) {
      const n = 1 + Math.floor(Math.random() * size.orders)
      const startedAtMs = performance.now()
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: question.path(n, size),
        headers: { authorization: `Bearer ${client.sandbox.api_key}` },
      })
      const text = await body.text()
      const ms = performance.now() - startedAtMs
      if (statusCode === 404) return undefined
      if (statusCode !== 200) throw new Error(`${question.name} got ${statusCode}: ${text}`)
      if (round >= 0) times[index]?.push(ms)
    }
  }
  return times
}

function report(name: string, [small, large]: [number[], number[]]): boolean {
  const compare = (a: number, b: number) => `${a.toFixed(1)} → ${b.toFixed(1)} ms (× ${(b / a).toFixed(2)})`
  const ratio = median(large) / median(small)
  const holds = ratio <= AIM * (1 + SLACK) || median(large) - median(small) < NEGLIGIBLE_MS
  const p99 = compare(percentile(small, 0.99), percentile(large, 0.99))
  console.log(
    `${name}: median ${compare(median(small), median(large))}, p99 ${p99}${holds ? '' : ': TOO SLOW'}`,
  )
  return holds
}

const orders = Number(argumentOf('orders') ?? (process.argv.includes('--short') ? 200_000 : 10_000_000))
const holds = await benchLists(
  { orders, customers: Math.ceil(orders / 10) },
  Number(argumentOf('rounds') ?? 300),
)
if (process.argv.includes('--assert') && !holds) process.exitCode = 1
