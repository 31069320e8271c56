/**
 * Runs the workload of the simulation, cards, a chain and webhooks under a real Prometheus, and fails for each panel of the
 * dashboards that shows nothing. Before that, promtool checks the alerts and runs their tests. Needs `prometheus` and
 * `promtool`, from Debian's package `prometheus`; everything is on loopback. Takes about two minutes.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/embedded-postgres/free-port'
import { PAYMENTS } from '../scenarios/harness/client.ts'
import { collectOutput, startService, stopProcess, waitUntilReady } from '../scenarios/harness/service.ts'
import { createAcquirer } from '../simulation/acquirers/index.ts'
import { act, timeFromNow } from '../simulation/system/actors/act.ts'
import { Business } from '../simulation/system/actors/business.ts'
import { Merchant } from '../simulation/system/actors/merchant.ts'
import { drawLoad, LOAD_ROUND_MS } from '../simulation/system/plan/draw-load.ts'
import { startAnvil } from '../src/modules/wallets/testing/anvil.ts'
import { DASHBOARDS } from './dashboards.ts'

const DEPLOY = join(import.meta.dirname, '../deploy/prometheus')
const XPUB =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8'
const LOAD = { plans: 12, months: 1, orders: 60, kills: 0, failovers: 0 }
const ROUNDS = 30
const SETTLE_MS = 4_000

/** What to end, in the reverse order, whatever fails. */
const ends: (() => Promise<unknown>)[] = []

function promtool(...args: string[]): void {
  execFileSync('promtool', args, { cwd: DEPLOY, stdio: 'inherit' })
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function startPrometheus(folder: string, target: string): Promise<string> {
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(DEPLOY, 'alerts.yml')],
    scrape_configs: [{ job_name: 'quittance', static_configs: [{ targets: [target] }] }],
  }
  const file = join(folder, 'prometheus.yml')
  // YAML takes JSON.
  await writeFile(file, JSON.stringify(config))
  const port = await freePort()
  const child: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--enable-feature=exemplar-storage',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  ends.push(() => stopProcess(child, 'SIGTERM'))
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(`${url}/-/ready`, child, collectOutput(child))
  return url
}

async function ask<Data>(
  prometheus: string,
  path: string,
  parameters: Record<string, string>,
): Promise<Data> {
  const response = await fetch(`${prometheus}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`)
  const body = (await response.json()) as { status: string; error?: string; data: Data }
  if (body.status !== 'success') throw new Error(`${path}: ${body.error}`)
  return body.data
}

async function useCards(merchant: Merchant): Promise<void> {
  const cards = '/svc/ts/api/v1/openapi/cards'
  const { card } = await merchant.ok('POST', cards, {
    card: {
      reference_id: `card-${randomUUID()}`,
      type: 'virtual',
      settlement_currency: 'USD',
      mode: 'B2C',
      limits: [{ period: 'Transaction', limit_amount: '100' }],
    },
  })
  await merchant.ok('POST', `${cards}/link`, { card_reference_id: card.reference_id, p_user_id: 'user-1' })
  for (const amount of ['5', '500']) {
    await merchant.ok('POST', `${cards}/${card.id}/authorizations`, {
      authorization: {
        amount,
        currency: 'USD',
        merchant: { name: 'Grocer', mcc: '5411', country: 'HK' },
        reference_id: randomUUID(),
      },
    })
  }
}

async function subscribe(merchant: Merchant): Promise<void> {
  const customer = await merchant.createCustomer()
  await merchant.bindCard(customer.uuid, '4242424242424242')
  await merchant.createPlan({
    reference_number: `plan-${randomUUID()}`,
    customer_uuid: customer.uuid,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: await merchant.createItem(100), quantity: 1 }],
      },
    ],
  })
}

async function work(
  folder: string,
): Promise<{ target: string; collected: () => number; run: () => Promise<void> }> {
  const anvil = await startAnvil()
  ends.push(() => anvil.stop())
  const chains = join(folder, 'chains.json')
  await writeFile(
    chains,
    JSON.stringify([
      {
        name: 'test-chain',
        chain_id: 31337,
        rpc_urls: [anvil.url],
        confirmations: 1,
        poll_interval_ms: 500,
        native: { symbol: 'ETH', decimals: 18, usd_price: '3000' },
      },
    ]),
  )
  let collected = 0
  const collector = await listen((request, response) => {
    collected++
    request.resume().on('end', () => response.end('{}'))
  })
  const receiver = await listen((request, response) => {
    const isRefused = Math.random() < 0.2
    request.resume().on('end', () => response.writeHead(isRefused ? 503 : 200).end())
  })
  const acquirer = createAcquirer('stripe', join(folder, 'stripe'))
  await acquirer.start()
  ends.push(() => acquirer.kill())
  const service = await startService({
    dataDir: join(folder, 'data'),
    env: {
      ...acquirer.env(),
      RATE_LIMIT: '0',
      ALLOW_PRIVATE_WEBHOOKS: '1',
      WALLET_XPUB: XPUB,
      CHAINS_FILE: chains,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.5',
    },
  })
  ends.push(() => service.stop())
  const run = async () => {
    const merchant = new Merchant(service.sandbox, new AbortController().signal)
    await merchant.ok('POST', '/svc/event/api/v1/openapi/endpoints', { endpoint: { url: receiver } })
    const customer = await merchant.createCustomer()
    const { token } = await merchant.bindCard(customer.uuid, '4242424242424242')
    const charge = async () => {
      const order = await merchant.createOrder({ customer_uuid: customer.uuid })
      await merchant.pay(order.number as string, token as string)
      await subscribe(merchant)
      await useCards(merchant)
      await merchant.call('GET', '/svc/ts/api/v1/openapi/digital_wallets')
      await merchant.call('GET', `${PAYMENTS}/orders`)
      await anvil.mine()
    }
    for (let round = 0; round < ROUNDS; round++) await charge()
    const { sandbox } = service
    const business = await Business.open({
      index: 0,
      sandbox,
      acquirer,
      signal: new AbortController().signal,
    })
    const rounds = drawLoad(
      {
        seed: 1,
        topology: 'separate',
        acquirers: ['stripe'],
        roundMs: LOAD_ROUND_MS,
        orders: LOAD.orders,
      },
      LOAD,
    )
    for (const [number, round] of rounds.entries()) {
      await Promise.all(act(round, [business], { number, reach: timeFromNow() }))
    }
    for (let round = 0; round < ROUNDS; round++) await charge()
  }
  return { target: new URL(service.sandbox.base_url).host, collected: () => collected, run }
}

interface Series {
  readonly value: readonly [number, string]
}

async function emptyPanels(prometheus: string): Promise<string[]> {
  const empty: string[] = []
  let shown = 0
  for (const { title, panels } of DASHBOARDS) {
    for (const { title: name, queries } of panels) {
      for (const [expr] of queries) {
        const query = expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'quittance')
        const { result } = await ask<{ result: readonly Series[] }>(prometheus, 'query', { query })
        if (result.some(({ value: [, figure] }) => Number.isFinite(Number(figure)))) shown++
        else empty.push(`${title}: ${name}: ${query}`)
      }
    }
  }
  console.log(`${shown} queries of ${DASHBOARDS.length} dashboards have data`)
  return empty
}

promtool('check', 'config', 'prometheus.yml')
promtool('test', 'rules', 'alerts.test.yml')
const folder = await mkdtemp(join(tmpdir(), 'quittance-dashboards-'))
try {
  const { target, collected, run } = await work(folder)
  const prometheus = await startPrometheus(folder, target)
  await run()
  await sleep(SETTLE_MS)
  const problems = await emptyPanels(prometheus)
  const exemplars = await ask<readonly unknown[]>(prometheus, 'query_exemplars', {
    query: 'http_request_duration_seconds_bucket',
    start: String(Date.now() / 1_000 - 600),
    end: String(Date.now() / 1_000),
  })
  console.log(`${exemplars.length} series have exemplars; the collector got ${collected()} exports`)
  if (exemplars.length === 0) problems.push('no exemplars')
  if (collected() === 0) problems.push('no traces')
  for (const problem of problems) console.error(`without data: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
} finally {
  for (const end of ends.toReversed()) await end().catch(() => {})
  await rm(folder, { recursive: true, force: true })
}
