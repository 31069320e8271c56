/**
 * Webhooks delivered a second, to one receiver and to a thousand of which every tenth never answers, beside a bare
 * HTTP client that posts the same bytes to the same receivers. The delay is of healthy receivers at half the rate that
 * the same run reached, from the change to the arrival; it is printed and not asserted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Agent } from 'undici'
import { prepareBusiness, businessesOf } from '#modules/businesses'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { KeyFile } from '#platform/security/key-source'
import { Keyring } from '#platform/security/keyring'
import { Client } from '../scenarios/harness/client.ts'
import { describeCpu, type Throughput, throughputOf } from './support/cpu.ts'
import { withDatabase } from './support/database.ts'
import { median, type RateOptions, report } from './support/report.ts'
import type { BenchService } from './support/service.ts'
import { type ReceiverCounts, type Receivers, startReceivers } from './support/webhook-receivers.ts'

/** What a business may have. */
const ENDPOINTS_A_BUSINESS = 100
/** What the service has under way at most: to one receiver, and to all. */
const CONNECTIONS = { one: 256, many: 768 }
/** Turns of the service and the bare client, of which the first is not counted: in it both are compiled. */
const ROUNDS = 4
/** Messages that are handed over for each second of the run: about as many as are delivered in the bare client's time. */
const MESSAGES_A_SECOND = 3_000
const MAX_WAIT_MS = 60_000
const ENDPOINTS = '/svc/event/api/v1/openapi/endpoints'

export async function benchWebhooks(
  service: BenchService,
  { seconds, onlyRates }: RateOptions,
): Promise<boolean> {
  const messages = seconds * MESSAGES_A_SECOND
  const one = await benchReceivers(service, { receivers: 1, deadEvery: 0, messages, seconds, onlyRates })
  const many = await benchReceivers(service, {
    receivers: 1_000,
    deadEvery: 10,
    messages,
    seconds,
    onlyRates,
  })
  return one && many
}

interface Run extends RateOptions {
  readonly receivers: number
  readonly deadEvery: number
  readonly messages: number
}

async function benchReceivers(service: BenchService, run: Run): Promise<boolean> {
  const receivers = await startReceivers(run.receivers, run.deadEvery)
  const database = new pg.Client({ connectionString: service.postgresUrl })
  await database.connect()
  // Keeps its connections from one turn to the next, as the service does.
  const agent = new Agent()
  try {
    const clients = await businessesFor(service, receivers.urls)
    const share = receivers.healthy.length / receivers.urls.length
    await Promise.all(clients.map((client) => client.createOrder()))
    await receivers.accepted(receivers.healthy.length, MAX_WAIT_MS)
    // Whoever does not answer is known by then, as it is on any day but the first.
    if (run.deadEvery > 0) await sleep(2_500)
    const name =
      run.receivers === 1
        ? 'webhooks to 1 receiver'
        : `webhooks to ${run.receivers} receivers, one in ten dead`
    const rates: number[] = []
    const limits: number[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      const perReceiver = Math.ceil(run.messages / ROUNDS / run.receivers)
      const { throughput, counts } = await deliver(service, database, clients, receivers, {
        perReceiver,
        round,
        name,
      })
      rates.push(throughput.rate)
      limits.push(await bareRate(agent, receivers, counts.sample, run))
    }
    const ours = median(rates.slice(1))
    if (run.receivers > 1 && !run.onlyRates) {
      const delay = await delayAtRate(clients, receivers, ours / 2 / share, run.seconds)
      console.log(
        `${name}: median delay ${delay.toFixed(0)} ms at ${(ours / 2).toFixed(0)} deliveries/s, aim 100`,
      )
    }
    return report({
      name,
      unit: 'deliveries/s',
      ours,
      limit: median(limits.slice(1)),
      limitName: 'bare undici posting the same bytes',
      aim: 0.4,
    })
  } finally {
    await forgetReceivers(database)
    await database.end()
    await agent.close()
    await receivers.stop()
  }
}

async function deliver(
  service: BenchService,
  database: pg.Client,
  clients: readonly Client[],
  receivers: Receivers,
  {
    perReceiver,
    round,
    name,
  }: { readonly perReceiver: number; readonly round: number; readonly name: string },
): Promise<{ throughput: Throughput; counts: ReceiverCounts }> {
  await receivers.reset()
  await writeDeliveries(database, clients, perReceiver, round)
  const before = await service.cpu()
  await showRunner(database, clients)
  const counts = await receivers.accepted(receivers.healthy.length * perReceiver, MAX_WAIT_MS)
  const after = await service.cpu()
  console.log(`${name}: ${describeCpu(before, after, counts.accepted / 1_000, 'deliveries')}`)
  const seconds = (counts.lastAtMs - counts.firstAtMs) / 1_000
  return { throughput: throughputOf(counts.accepted, seconds, before, after), counts }
}

/** To one receiver, which answers; the second of two turns. */
export async function deliverToOne(service: BenchService, messages: number): Promise<Throughput> {
  const receivers = await startReceivers(1, 0)
  try {
    return await withDatabase(service.postgresUrl, async (database) => {
      const clients = await businessesFor(service, receivers.urls)
      await Promise.all(clients.map((client) => client.createOrder()))
      await receivers.accepted(1, MAX_WAIT_MS)
      const turn = (round: number) =>
        deliver(service, database, clients, receivers, { perReceiver: messages, round, name: 'deliveries' })
      await turn(1)
      const { throughput } = await turn(2)
      await forgetReceivers(database)
      return throughput
    })
  } finally {
    await receivers.stop()
  }
}

/** As many new businesses as it takes to register the URLs, each with its share of them. */
async function businessesFor(service: BenchService, urls: readonly string[]): Promise<Client[]> {
  const db = new PlainDatabase({ url: service.postgresUrl, maxConnections: 1, readers: 1 })
  const businesses = businessesOf({ db, keyring: new Keyring(await KeyFile.open(service.dataDir)) })
  const clients: Client[] = []
  for (let first = 0; first < urls.length; first += ENDPOINTS_A_BUSINESS) {
    const business = prepareBusiness({ name: 'Receivers', timeZone: 'Asia/Hong_Kong', currency: 'HKD' })
    await businesses.create(business)
    const client = new Client({
      ...service.client.sandbox,
      api_key: business.apiKey,
      business_id: business.test.businessId,
    })
    clients.push(client)
    const own = urls.slice(first, first + ENDPOINTS_A_BUSINESS)
    await Promise.all(own.map((url) => client.ok('POST', ENDPOINTS, { endpoint: { url } })))
  }
  await db.close()
  return clients
}

/**
 * Makes `perReceiver` events due for each endpoint at once, as many orders made at the same moment would: copies of
 * the event that every endpoint was sent, of objects of their own. What is copied has no second `_` in its id.
 */
async function writeDeliveries(
  database: pg.Client,
  clients: readonly Client[],
  perReceiver: number,
  round: number,
): Promise<void> {
  const businessIds = idsOf(clients)
  await database.query('begin')
  await database.query(
    `insert into events
     select e.business_id, e.id || copy, e.object_id || copy, e.sequence, e.type, now(), e.data
       from events e, format('_%s_', $3::int) round, generate_series(1, $2::int) n, concat(round, n) copy
      where e.business_id = any($1) and e.id not like '%\\_%\\_%'`,
    [businessIds, perReceiver, round],
  )
  await database.query(
    `insert into deliveries (business_id, id, event_id, object_id, sequence, url, receiver, endpoint_id, state, due_at, created_at)
     select business_id, id || copy, event_id || copy, object_id || copy, sequence, url, receiver, endpoint_id,
            'pending', now(), now()
       from deliveries, format('_%s_', $3::int) round, generate_series(1, $2::int) n, concat(round, n) copy
      where business_id = any($1) and id not like '%\\_%\\_%'`,
    [businessIds, perReceiver, round],
  )
  await database.query('commit')
  await database.query('analyze events, deliveries')
}

/** From here on they are delivered. */
async function showRunner(database: pg.Client, clients: readonly Client[]): Promise<void> {
  await database.query(
    `insert into next_runs (business_id, job, due_at) select unnest($1::text[]), 'webhook_deliveries', now()
     on conflict (business_id, job) do update set due_at = now(), rechecks = 0`,
    [idsOf(clients)],
  )
}

/** The service may still be at deliveries, which it locks in an order of its own: so the whole table is locked first. */
async function forgetReceivers(database: pg.Client): Promise<void> {
  await database.query(`delete from webhook_endpoints where url like 'http://127.0.0.1:%/events'`)
  await database.query('begin')
  await database.query('lock table deliveries in exclusive mode')
  await database.query(`delete from deliveries where url like 'http://127.0.0.1:%/events'`)
  await database.query('commit')
}

const idsOf = (clients: readonly Client[]) => clients.map(({ sandbox }) => sandbox.business_id)

/** Messages a second that undici alone posts to those receivers that answer. */
async function bareRate(
  agent: Agent,
  { healthy }: Receivers,
  sample: { readonly headers: Readonly<Record<string, unknown>>; readonly body: string } | undefined,
  { receivers, seconds }: Run,
): Promise<number> {
  if (sample === undefined) throw new Error('no message came')
  const { host: _, connection: __, ...headers } = sample.headers as Record<string, string>
  const targets = healthy.map((url) => new URL(url))
  let posted = 0
  let next = 0
  const startedAt = performance.now()
  const poster = async () => {
    while (performance.now() - startedAt < (seconds / 2 / ROUNDS) * 1_000) {
      const target = targets[next++ % targets.length]
      if (target === undefined) throw new Error('nobody answers')
      const { origin, pathname: path } = target
      const response = await agent.request({ origin, path, method: 'POST', headers, body: sample.body })
      await response.body.dump()
      posted++
    }
  }
  const connections = receivers === 1 ? CONNECTIONS.one : CONNECTIONS.many
  await Promise.all(Array.from({ length: connections }, poster))
  return (posted / (performance.now() - startedAt)) * 1_000
}

/** The median delay while orders are made, each of which is reported to a hundred endpoints. */
async function delayAtRate(
  clients: readonly Client[],
  receivers: Receivers,
  rate: number,
  seconds: number,
): Promise<number> {
  await receivers.reset()
  const under: Promise<unknown>[] = []
  const startedAt = performance.now()
  for (let made = 0; performance.now() - startedAt < seconds * 1_000; await sleep(5)) {
    const due = ((performance.now() - startedAt) / 1_000) * (rate / ENDPOINTS_A_BUSINESS)
    for (; made < due; made++) under.push(clients[made % clients.length]?.createOrder() ?? Promise.resolve())
  }
  await Promise.all(under)
  await sleep(1_000)
  return receivers.medianDelayMs()
}
