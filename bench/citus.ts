/**
 * Citus beside one PostgreSQL on the same processors, by turns: payments, billing of one and of several businesses, and card
 * decisions, as ratios; then what each node did. Both databases must be empty, and the coordinator set up as in
 * docs/operating/citus.md. Fails when a median is below its aim by more than noise.
 * `CITUS_URL=… POSTGRES_URL=… node --single-threaded-gc bench/citus.ts [rounds] [seconds]`
 */
import { newId } from '#kernel/ids'
import { Client } from '../scenarios/harness/client.ts'
import { createBusiness, runToEnd } from '../scenarios/harness/command-line.ts'
import { Issuer, maxRate } from './cards.ts'
import { withDatabase } from './support/database.ts'
import { closedLoad, createAndPay, payerOf } from './support/load.ts'
import { median, NOISE } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

const CALLERS = 32
const BUSINESSES = 6
const TENANTS = 64
const PAYMENTS_EACH = 20
const PLANS = 60
const CARDS = 100
const MIN_RATIO = 0.8
const MONTHS = 12
const [rounds = 5, seconds = 4] = process.argv.slice(2).map(Number)

interface Subject {
  readonly name: string
  readonly service: BenchService
  readonly clients: readonly Client[]
  readonly rates: Map<string, number[]>
}

async function prepare(name: string, url: string): Promise<Subject> {
  const service = await startBenchService({ DATABASE_URL: url })
  const clients = [service.client]
  while (clients.length < BUSINESSES) clients.push(new Client(await createBusiness(service, [], runToEnd)))
  return { name, service, clients, rates: new Map() }
}

/** Orders paid a second, each business with its part of the callers. */
async function payments(clients: readonly Client[]): Promise<number> {
  const loads = clients.map(async (client) =>
    closedLoad(client, createAndPay(await payerOf(client)), Math.ceil(CALLERS / clients.length), seconds),
  )
  const results = await Promise.all(loads)
  const [failed, refused] = [sum(results.map((one) => one.failed)), sum(results.map((one) => one.refused))]
  if (failed > 0) throw new Error(`${failed} requests failed`)
  if (refused > 0) console.log(`${refused} requests were refused`)
  return sum(results.map(({ rate }) => rate))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Orders billed and paid a second, while the clocks of all move by a year. */
async function billing(clients: readonly Client[]): Promise<number> {
  for (const client of clients) await createPlans(client, PLANS / clients.length)
  const startedAtMs = performance.now()
  await Promise.all(clients.map((client) => client.advanceBy('P1Y')))
  return (PLANS * MONTHS * 1_000) / (performance.now() - startedAtMs)
}

async function createPlans(client: Client, count: number): Promise<void> {
  const startAt = (await client.now()).add({ hours: 24 })
  const item = await client.createItem(250)
  for (let nth = 0; nth < count; nth++) {
    const customer = await client.createCustomer()
    await client.bindCard(customer.uuid, '4242424242424242')
    await client.createPlan({
      reference_number: newId('bench'),
      customer_uuid: customer.uuid,
      start_date: startAt.toString(),
      recurring_cycles: [
        {
          recurring_billing_config: 'FREQ=MONTHLY',
          billing_count: MONTHS,
          recurring_items: [{ recurring_item_id: item, quantity: 1 }],
        },
      ],
    })
  }
}

async function cards(service: BenchService): Promise<number> {
  const issuer = new Issuer(service)
  try {
    const ids: string[] = []
    while (ids.length < CARDS) ids.push(await issuer.issueActive())
    let next = 0
    return await maxRate(issuer, seconds, () => ids[next++ % CARDS] ?? '')
  } finally {
    await issuer.close()
  }
}

const FIGURES: readonly { name: string; measure: (subject: Subject) => Promise<number> }[] = [
  { name: 'payments of one business', measure: ({ clients }) => payments(clients.slice(0, 1)) },
  { name: `payments of ${BUSINESSES} businesses`, measure: ({ clients }) => payments(clients) },
  { name: 'billing of one business', measure: ({ clients }) => billing(clients.slice(0, 1)) },
  { name: `billing of ${BUSINESSES} businesses`, measure: ({ clients }) => billing(clients) },
  { name: 'card decisions', measure: ({ service }) => cards(service) },
]

interface NodeWork {
  readonly node: string
  readonly tenants: number
  readonly transactions: number
  readonly rowsWritten: number
}

/** What each node has done so far, and how many of the tenants it has. */
async function workOfNodes(url: string, clients: readonly Client[]): Promise<NodeWork[]> {
  const nodes = await withDatabase(url, async (database) => {
    const { rows } = await database.query<{ host: string; port: number; tenants: number }>(
      `select nodename as host, nodeport as port, count(t.id)::int as tenants
         from pg_dist_node n
         left join pg_dist_placement p on p.groupid = n.groupid
         left join unnest($1::text[]) t (id)
           on get_shard_id_for_distribution_column('business_clocks', t.id) = p.shardid
        where noderole = 'primary' group by 1, 2 order by 1, 2`,
      [clients.map(({ sandbox }) => sandbox.business_id)],
    )
    return rows
  })
  return Promise.all(
    nodes.map(async ({ host, port, tenants }) => {
      const address = new URL(url)
      address.hostname = host
      address.port = String(port)
      const { rows } = await withDatabase(address.href, (database) =>
        database.query<{ transactions: number; written: number }>(
          `select xact_commit::float8 as transactions, (tup_inserted + tup_updated + tup_deleted)::float8 as written
             from pg_stat_database where datname = current_database()`,
        ),
      )
      const { transactions = 0, written = 0 } = rows[0] ?? {}
      return { node: `${host}:${port}`, tenants, transactions, rowsWritten: written }
    }),
  )
}

/** As many payments by each of many tenants, and what each node did for them. */
async function spread({ service }: Subject, url: string): Promise<void> {
  const clients: Client[] = []
  while (clients.length < TENANTS) clients.push(new Client(await createBusiness(service, [], runToEnd)))
  const before = await workOfNodes(url, clients)
  await Promise.all(clients.map(payOften))
  // The server counts the last transactions of a session a second later, or when the session ends.
  await new Promise((resolve) => setTimeout(resolve, 12_000))
  for (const [index, { node, tenants, ...after }] of (await workOfNodes(url, clients)).entries()) {
    const transactions = after.transactions - (before[index]?.transactions ?? 0)
    const rowsWritten = after.rowsWritten - (before[index]?.rowsWritten ?? 0)
    console.log(
      `${node} with ${tenants} of ${TENANTS} tenants: ${transactions} transactions, ${rowsWritten} rows written` +
        (tenants === 0
          ? ''
          : `, for each tenant ${Math.round(transactions / tenants)} and ${Math.round(rowsWritten / tenants)}`),
    )
  }
}

async function payOften(client: Client): Promise<void> {
  const { customerUuid, token } = await payerOf(client)
  for (let nth = 0; nth < PAYMENTS_EACH; nth++) {
    const order = await client.createOrder({ customer_uuid: customerUuid })
    await client.pay(order.number, token, { reference_id: newId('bench') })
  }
}

const { POSTGRES_URL: postgresUrl, CITUS_URL: citusUrl } = process.env
if (postgresUrl === undefined || citusUrl === undefined) {
  throw new Error('CITUS_URL and POSTGRES_URL must be set')
}
const subjects: Subject[] = []
try {
  subjects.push(await prepare('PostgreSQL', postgresUrl))
  subjects.push(await prepare('Citus', citusUrl))
  for (const { name, measure } of FIGURES) {
    // Round 0 warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const subject of subjects) {
        const rate = await measure(subject)
        if (round > 0) subject.rates.set(name, [...(subject.rates.get(name) ?? []), rate])
      }
    }
    const [alone = 0, distributed = 0] = subjects.map(({ rates }) => median(rates.get(name) ?? []))
    const ratio = distributed / alone
    console.log(
      `${name}: PostgreSQL ${alone.toFixed(0)}, Citus ${distributed.toFixed(0)} a second: ratio ` +
        `${ratio.toFixed(2)}, aim ${MIN_RATIO}`,
    )
    if (!(ratio >= MIN_RATIO * (1 - NOISE))) process.exitCode = 1
  }
  const [, distributed] = subjects
  if (distributed !== undefined) await spread(distributed, citusUrl)
} finally {
  for (const { service } of subjects) await service.stop()
}
