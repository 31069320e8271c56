/**
 * Measures searches, lists with filters and timelines in a large tenant beside a small one in the same database: their
 * times should not differ by more than a factor of two. Each tenant is asked the same few questions again and again, so
 * that the pages of both are in memory; what the first asking took, with pages from the disk, stands beside it.
 * `--short` fills 200,000 orders, `--orders 1000000` as many; `--folder F` keeps the filled database for the next run.
 * Ten million orders need 45 GB. With `--assert` a median beyond the aim, plus the slack of shared machines, fails the run.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'undici'
import { Client } from '../scenarios/harness/client.ts'
import { createBusiness, runToEnd } from '../scenarios/harness/command-line.ts'
import type { SandboxFile } from '../src/sandbox-file.ts'
import { vacuumAndCheckpoint, withDatabase } from './support/database.ts'
import { fillTenants, lastFourCount, PATHS } from './support/large-tenant.ts'
import type { TenantSize } from './support/named-objects.ts'
import { median, percentile, SLACK } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

const AIM = 2
/** Below this a ratio says nothing: one page more from the cache is half a millisecond. */
const NEGLIGIBLE_MS = 5
const SMALL: TenantSize = { orders: 10_000, customers: 1_000 }
/** Each question is asked for this many different numbers, one after the other. */
const NUMBERS = 30
/** How often a question without an index is asked, which takes seconds in a large tenant. */
const FEW = 5

interface Question {
  readonly name: string
  /** @param n a number between 1 and the number of orders */
  readonly path: (n: number, size: TenantSize) => string
  /** Reads the newest until the page is full, as reference/payments#listing says. */
  readonly hasNoIndex?: true
}

const id = (prefix: string, n: number) => `${prefix}_0${String(n).padStart(25, '0')}`
const search = (query: string) => `${PATHS.search}?query=${encodeURIComponent(query)}`
const list = (path: string, filter: string) => `${path}?filter=${encodeURIComponent(filter)}`
const customerOf = (n: number, { customers }: TenantSize) => 1 + (n % customers)
/** The number of a plan, a card or a wallet. */
const namedOf = (n: number, { customers }: TenantSize) => 1 + (n % Math.ceil(customers / 10))
const cents = (n: number) => ((1000 + ((n * 7919) % 9_000_000)) / 100).toFixed(2)
const SYLLABLES = 'ka li mo ra ta shi nel bor vin dra qua pel zu fen gor hal'.split(' ')
const SURNAMES =
  'chan wong lee lam cheung ng ho leung smith jones brown garcia müller rossi novak kowalski'.split(' ')
const first = (n: number) =>
  `${SYLLABLES[(n * 7) % 16]}${SYLLABLES[(Math.floor(n / 16) * 7) % 16]}${SYLLABLES[Math.floor(n / 256) % 16]}`
const middle = (n: number) =>
  `${SYLLABLES[(n * 5 + Math.floor(n / 4096)) % 16]}${SYLLABLES[(Math.floor(n / 16) * 5 + Math.floor(n / 65_536)) % 16]}` +
  `${SYLLABLES[Math.floor(n / 256) % 16]}`
const names = (n: number, size: TenantSize, separator = ' ') =>
  `${first(customerOf(n, size))}${separator}${middle(customerOf(n, size))}`
const lastFour = (n: number, size: TenantSize) => String(n % lastFourCount(size)).padStart(4, '0')
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
const swapped = (word: string) => `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`

const QUESTIONS: readonly Question[] = [
  { name: 'search: order number', path: (n) => search(id('ord', n)) },
  { name: 'search: reference', path: (n) => search(`o-${n}`) },
  { name: 'search: beginning of a reference', path: (n) => search(`o-${String(n).slice(0, 2)}`) },
  { name: 'search: payment reference', path: (n) => search(`p-${n}`) },
  { name: 'search: amount', path: (n) => search(cents(n)) },
  { name: 'search: last four digits', path: (n, size) => search(lastFour(n, size)) },
  { name: 'search: full name', path: (n, size) => search(names(n, size)) },
  { name: 'search: common surname', path: () => search('chan') },
  { name: 'search: two letters', path: () => search('ch') },
  {
    name: 'search: surname first',
    path: (n, size) => search(`wong ${first(customerOf(n, size)).slice(0, 3)}`),
  },
  {
    name: 'search: e-mail address',
    path: (n, size) => search(`${names(n, size, '.')}.${SURNAMES[customerOf(n, size) % 16]}`),
  },
  { name: 'search: domain of many', path: (n) => search(`mail${n % 20}.example`) },
  { name: 'search: phone number', path: (n, size) => search(String(90_000_000 + customerOf(n, size))) },
  {
    name: 'search: phone number with a country code',
    path: (n, size) => search(`+852 ${90_000_000 + customerOf(n, size)}`),
  },
  {
    name: 'search: name with a typing error',
    path: (n, size) => search(swapped(first(customerOf(n, size)))),
  },
  {
    name: 'search: two words with errors',
    path: (n, size) =>
      search(`${swapped(first(customerOf(n, size)))} ${swapped(middle(customerOf(n, size)))}`),
  },
  { name: 'search: e-mail with an error', path: (n) => search(`kkaalika.${n % 7}@mial3.example`) },
  {
    name: 'search: plan by a middle word',
    path: (n, size) => search(`${middle(namedOf(n, size))} yearly`),
  },
  { name: 'search: word of many plans', path: () => search('yearly') },
  {
    name: 'search: plan with a typing error',
    path: (n, size) => search(`gold ${swapped(first(namedOf(n, size)))}`),
  },
  {
    name: 'search: card by a title with a typing error',
    path: (n, size) => search(`enginering ${swapped(first(namedOf(n, size)))}`),
  },
  { name: 'search: wallet', path: (n, size) => search(`u-${namedOf(n, size)}`) },
  { name: 'search: dispute', path: (n) => search(`dp_${Math.ceil(n / 100) * 100}`) },
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
  {
    name: 'transactions: rare reason',
    path: () => list(PATHS.transactions, 'decline_code = stolen_card'),
    hasNoIndex: true,
  },
  {
    name: 'transactions: in progress',
    path: () => list(PATHS.transactions, 'state = initiated OR state = unknown'),
  },
  { name: 'transactions: refunds', path: () => list(PATHS.transactions, 'type = Refund') },
  { name: 'transactions: by amount', path: (n) => list(PATHS.transactions, `amount = ${cents(n)}`) },
  {
    name: 'transactions: last four digits',
    path: (n, size) => list(PATHS.transactions, `last_4_digits = "${lastFour(n, size)}"`),
    hasNoIndex: true,
  },
  {
    name: 'transactions: of a customer',
    path: (n, size) => list(PATHS.transactions, `customer_uuid = ${id('cus', customerOf(n, size))}`),
  },
  {
    name: 'transactions: account without any',
    path: () => list(PATHS.transactions, 'account_id = acq_none'),
    hasNoIndex: true,
  },
  { name: 'customers: newest', path: () => PATHS.customers },
  {
    name: 'customers: rare name',
    path: (n, size) => list(PATHS.customers, `name = "${names(n, size)}*"`),
  },
  { name: 'customers: common surname', path: () => list(PATHS.customers, 'name = "chan*"') },
  {
    name: 'customers: e-mail address',
    path: (n, size) => list(PATHS.customers, `email = "${names(n, size, '.')}.*"`),
  },
  {
    name: 'customers: phone number',
    path: (n, size) => list(PATHS.customers, `phone = ${90_000_000 + customerOf(n, size)}`),
  },
  { name: 'plans: newest', path: () => PATHS.plans },
  {
    name: 'plans: beginning of a name',
    path: (n, size) => list(PATHS.plans, `name = "Gold ${capital(first(namedOf(n, size)))}*"`),
  },
  {
    name: 'plans: of a customer',
    path: (n, size) => list(PATHS.plans, `customer.uuid = ${id('cus', namedOf(n, size))}`),
  },
  { name: 'cards: newest', path: () => PATHS.cards },
  { name: 'cards: user', path: (n, size) => list(PATHS.cards, `p_user_id = u-${namedOf(n, size)}`) },
  {
    name: 'cards: last four digits',
    path: (n, size) =>
      list(PATHS.cards, `last_4_digits = "${String(namedOf(n, size) % 9973).padStart(4, '0')}"`),
  },
  { name: 'wallets: newest', path: () => PATHS.wallets },
  { name: 'disputes: newest', path: () => PATHS.disputes },
  { name: 'disputes: rare state', path: () => list(PATHS.disputes, 'state = needs_response') },
  {
    name: 'disputes: beginning of a reference',
    path: (n) => list(PATHS.disputes, `reference = "dp_${n}*"`),
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

async function benchLists(large: TenantSize, rounds: number, folder?: string): Promise<boolean> {
  const service = await startBenchService({}, folder)
  try {
    const small = await openTenants(service, large)
    const tenants = [
      { client: small, size: SMALL, pool: new Pool(service.client.sandbox.base_url, { connections: 1 }) },
      {
        client: service.client,
        size: large,
        pool: new Pool(service.client.sandbox.base_url, { connections: 1 }),
      },
    ] as const
    let holds = true
    for (const question of QUESTIONS)
      holds = report(question, await measure(tenants, question, rounds)) && holds
    for (const { pool } of tenants) await pool.close()
    return holds
  } finally {
    await service.stop()
  }
}

/** Fills both tenants, unless the folder of the service holds them. */
async function openTenants(service: BenchService, large: TenantSize): Promise<Client> {
  const path = join(service.dataDir, 'small-tenant.json')
  if (existsSync(path)) {
    const kept = JSON.parse(await readFile(path, 'utf8')) as SandboxFile & { orders: number }
    if (kept.orders !== large.orders) throw new Error(`the folder holds ${kept.orders} orders`)
    return new Client({ ...kept, base_url: service.client.sandbox.base_url })
  }
  const small = new Client(await createBusiness(service, [], runToEnd))
  const startedAtMs = performance.now()
  await withDatabase(service.postgresUrl, (database) =>
    fillTenants(database, [
      { client: small, size: SMALL },
      { client: service.client, size: large },
    ]),
  )
  await vacuumAndCheckpoint(service.postgresUrl)
  await writeFile(path, JSON.stringify({ ...small.sandbox, orders: large.orders }))
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000)
  console.log(`filled ${large.orders} orders and ${large.customers} customers in ${seconds} s`)
  return small
}

interface MeasuredTenant {
  readonly client: Client
  readonly size: TenantSize
  readonly pool: Pool
}

interface Times {
  readonly firstMs: number[]
  readonly againMs: number[]
}

/** Both tenants take turns, so that other load on the machine slows both. */
async function measure(
  tenants: readonly [MeasuredTenant, MeasuredTenant],
  question: Question,
  rounds: number,
): Promise<[Times, Times]> {
  const times: [Times, Times] = [
    { firstMs: [], againMs: [] },
    { firstMs: [], againMs: [] },
  ]
  const count = question.hasNoIndex ? FEW : NUMBERS
  const numbers = Array.from({ length: count }, () => Math.random())
  const again = question.hasNoIndex ? FEW : rounds
  for (let round = 0; round < count + again; round++) {
    for (const [index, { client, size, pool }] of tenants.entries()) {
      const n = 1 + Math.floor((numbers[round % count] ?? 0) * size.orders)
      const startedAtMs = performance.now()
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: question.path(n, size),
        headers: { authorization: `Bearer ${client.sandbox.api_key}` },
      })
      const text = await body.text()
      const ms = performance.now() - startedAtMs
      if (statusCode !== 200) throw new Error(`${question.name} got ${statusCode}: ${text}`)
      times[index]?.[round < count ? 'firstMs' : 'againMs'].push(ms)
    }
  }
  return times
}

function report({ name, hasNoIndex }: Question, [small, large]: [Times, Times]): boolean {
  const compare = (a: number, b: number) => `${a.toFixed(1)} → ${b.toFixed(1)} ms (× ${(b / a).toFixed(2)})`
  const [smallMs, largeMs] = [median(small.againMs), median(large.againMs)]
  const holds = largeMs / smallMs <= AIM * (1 + SLACK) || largeMs - smallMs < NEGLIGIBLE_MS
  const p99 = compare(percentile(small.againMs, 0.99), percentile(large.againMs, 0.99))
  const askedFirst = compare(median(small.firstMs), median(large.firstMs))
  console.log(
    `${name}: median ${compare(smallMs, largeMs)}, p99 ${p99}, asked first ${askedFirst}${holds ? '' : hasNoIndex ? ': without an index' : ': TOO SLOW'}`,
  )
  return holds || hasNoIndex === true
}

const orders = Number(argumentOf('orders') ?? (process.argv.includes('--short') ? 200_000 : 10_000_000))
const holds = await benchLists(
  { orders, customers: Math.ceil(orders / 10) },
  Number(argumentOf('rounds') ?? 300),
  argumentOf('folder'),
)
if (process.argv.includes('--assert') && !holds) process.exitCode = 1
