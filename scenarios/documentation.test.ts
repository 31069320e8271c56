import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createMigratedDatabase } from '#platform/testing/database'
import { REPOSITORY_ROOT, type Service, startService } from './harness/service.ts'

const run = promisify(execFile)

type Replacements = Readonly<Record<string, string>>

/**
 * What is done with a block:
 * - `program`: it begins a program, which is run after its last block;
 * - `continued`: it goes on in the program of the block before;
 * - `scoped`: the same in a scope of its own, because it names its results as another block does;
 * - `shell`: bash runs it;
 * - `output`: the program before prints it;
 * - a sentence: why it is not run.
 */
type Use =
  | 'program'
  | 'continued'
  | 'scoped'
  | 'shell'
  | 'output'
  | { readonly because: string }
  | { readonly as: 'program' | 'scoped' | 'shell'; readonly replace: Replacements; readonly before?: string }

const because = (reason: string): Use => ({ because: reason })

const INSTALLS = because('CI runs it: it installs the packages that this test runs with')
const STARTS = because('the test has started the service on an empty data directory')
const DOCKER = because('needs a Docker engine')
const KUBERNETES = because('needs a Kubernetes cluster')
const MACHINE = because('changes the machine: packages, system services or their files')
const REPLICAS = because('needs several machines; `npm run test:failover` starts the same on one')
const CITUS = because('needs a Citus cluster; `npm run test:citus` uses one')
const FRAGMENT = because('a part of a configuration file')
const PROCESSES = because('starts processes that end with the terminal; scenarios/tenants starts them')
const SETTINGS = because('sets variables for the commands after it')
const BENCH = because('takes up to an hour')
const TWIN = because('scenarios/go-live.test.ts runs the blocks of this page in one shell, on the twin')
const PORTAL = because('a part of a server of the merchant; scenarios/portal.test.ts makes the same calls')
const ERASURES = because('needs a backup and a list of erasures; scenarios/personal-data has both')

/** The first line of each block of a page, in order, and what is done with the block. */
const PAGES: Readonly<Record<string, readonly (readonly [firstLine: string, use: Use])[]>> = {
  'README.md': [
    ['npm ci && npm start', STARTS],
    ['npm ci && npm test', INSTALLS],
    ['docker build -f deploy/Dockerfile -t quittance .', DOCKER],
    ["import { readFileSync } from 'node:fs'", 'program'],
    [`member() { grep -o "\\"$1\\": *\\"[^\\"]*\\"" | head -1 | cut -d '"' -f 4; }`, 'shell'],
    ["import { readFileSync } from 'node:fs'", 'program'],
  ],
  'sdk/README.md': [
    [
      "import { Quittance } from 'quittance'",
      { as: 'program', replace: { "'qk_test_…'": 'API_KEY', "'http://127.0.0.1:8080'": 'BASE_URL' } },
    ],
    [
      "await quittance.plans.upgrade('pln_…', { replace: [{ from: 'itm_small', to: 'itm_large' }] })",
      because('needs a plan; docs/subscription-year.md upgrades one'),
    ],
    [
      "import { fromMinorUnits, toMinorUnits } from 'quittance'",
      { as: 'scoped', replace: { "'ord_…'": 'made.order', "'txn_…'": 'made.transaction' } },
    ],
    [
      "import { ConflictError, PaymentDeclinedError } from 'quittance'",
      { as: 'scoped', replace: { "'ord_…'": 'made.order', "'pmt_…'": 'made.token' } },
    ],
    [
      "import { ApiError, ConnectionError } from 'quittance'",
      {
        as: 'scoped',
        before:
          "const unpaid = await quittance.orders.create({ reference_number: 'o-2', currency: 'HKD', initial_total: '20', customer_uuid: made.customer })",
        replace: { "'ord_…'": 'unpaid.order.number', "'pmt_…'": 'made.token' },
      },
    ],
    [
      `for await (const order of quittance.orders.list({ filter: 'state = "open" AND initial_total >= 100' })) {`,
      'scoped',
    ],
    ["import { verifyWebhook } from 'quittance'", 'scoped'],
    ['const { id, secret } = await quittance.webhookEndpoints.create({', 'scoped'],
    ['const { order, payment_link } = await quittance.orders.create(', 'scoped'],
    [
      "const invoice = await quittance.invoices.document('inv_…', 'pdf')",
      {
        as: 'scoped',
        before: `const seller = await quittance.legalEntities.create({
  name: 'Kiln Ltd',
  address: { line1: '1 Queen Street', postal_code: '0', city: 'Hong Kong', country: 'HK' },
  registrations: [],
})
const issued = await quittance.invoices.create({
  customer_uuid: made.customer,
  currency: 'HKD',
  lines: [{ label: 'Set-up', quantity: '1', unit_amount: '10' }],
  legal_entity_id: seller.id,
})`,
        replace: { "'inv_…'": 'issued.id', "'ord_…'": 'made.order' },
      },
    ],
  ],
  'docs/first-day.md': [
    ['npm start', STARTS],
    ["import { readFileSync } from 'node:fs'", 'program'],
    ['const card = (number) =>', 'continued'],
    ["const empty = await card('4000000000009995')", 'continued'],
    ["await quittance.sandbox.advanceClock({ by: 'P21D' })", 'continued'],
  ],
  'docs/subscription-year.md': [
    ["import { readFileSync } from 'node:fs'", 'program'],
    [
      "const customer = await quittance.customers.create({ reference_number: 'year', name: 'Lam Ka Yan', phone: '98765432' })",
      'continued',
    ],
    ["await goTo('01-15T00:01')", 'continued'],
    ["await goTo('01-30T10:00')", 'continued'],
    ["await goTo('02-15T00:01')", 'continued'],
    ["await quittance.plans.pause(id, { until: '2031-05-01' })", 'continued'],
    ['const canceled = await quittance.plans.cancel(id, { at_period_end: true })', 'continued'],
    ['await quittance.plans.change(id, {', 'continued'],
    ['15 Jan: active, order year-1 of 160.00 completed', 'output'],
  ],
  'docs/go-live.md': [
    ['npm run twin -- stripe --port 12111 --dir ./twin &', TWIN],
    [`KEY=$(node -p "require('./data/sandbox.json').api_key")`, TWIN],
    [`call $ACCOUNTS/$ACC_ID -X PUT -d '{"acquirer_account": {`, TWIN],
    [
      `curl -sS -X PUT $TWIN/_twin/notices -d '{"url": "'$WEBHOOK_URL'", "secret": "'$WEBHOOK_SECRET'"}'`,
      TWIN,
    ],
    [`CUSTOMER=$(call $PAYMENTS/customers -d '{"customer": {`, TWIN],
    [`TXN_UUID=$(grep -o '"transaction":{.*' <<< "$PAID" | member uuid)`, TWIN],
    ['pay live-2 pm_card_createDispute > /dev/null', TWIN],
    [`call $PAYMENTS/reconciliations/run -d '{}'`, TWIN],
    [`APP_ID=$(node -p "require('./data/sandbox.json').app_id")`, TWIN],
    [`KEY=$(node -p "require('./data/sandbox.json').api_key")`, TWIN],
    [`KEY=$(node -p "require('./data/sandbox.json').api_key")`, TWIN],
    [`call $ACCOUNTS/$ACC_ID -X PUT -d '{"acquirer_account": {"credentials": {`, TWIN],
    [
      'TOKEN=$(curl -sS -X POST $TWIN/api/v1/authentication/login -H "x-client-id: $CLIENT_ID" -H "x-api-key: $API_KEY" | member token)',
      TWIN,
    ],
    [`CUSTOMER=$(call $PAYMENTS/customers -d '{"customer": {`, TWIN],
    ['KEY=$(npm run --silent quittance -- keys create --app $APP_ID --env live --expires-in P90D \\', TWIN],
  ],
  'docs/portal.md': [
    ['await quittance.portal.update({', PORTAL],
    ["app.post('/billing', async (request, response) => {", PORTAL],
    ["import { Portal } from 'quittance'", PORTAL],
  ],
  'docs/wallets.md': [['[', FRAGMENT]],
  'docs/operating/README.md': [
    ['export DATABASE_URL=postgres://quittance:secret@127.0.0.1/quittance', SETTINGS],
    ['npm run simulator', PROCESSES],
    ['quittance() (', MACHINE],
    ['quittance() {', KUBERNETES],
    ['npm run quittance -- users create --email you@example.com --operator', 'shell'],
    [
      'npm run quittance -- users create --email ada@example.com --business CODE --role owner',
      { as: 'shell', replace: { CODE: '"$CUSTOMER_CODE"' } },
    ],
    ['compose() { docker compose -f deploy/compose.yaml "$@"; }', DOCKER],
  ],
  'docs/operating/backup.md': [
    ['create role quittance_service;', MACHINE],
    [
      'compose() { docker compose -f deploy/compose.yaml "$@"; }    # with -f deploy/compose.override.yaml, if you have one',
      DOCKER,
    ],
    ['compose stop api worker', DOCKER],
    ['compose stop api worker', DOCKER],
    ['git checkout "$(head -n 1 keys/2026-11-23T030000Z.version)"', DOCKER],
    ['apt-get install --no-install-recommends postgresql-15 pgbackrest', MACHINE],
    ['[global]', FRAGMENT],
    ['archive_mode = on', FRAGMENT],
    ['pgbackrest --stanza=quittance stanza-create', MACHINE],
    ['kubectl scale --replicas=0 deploy/quittance-api deploy/quittance-worker', KUBERNETES],
    [
      'npm run quittance -- recovered --since 2026-11-23T10:00:00Z',
      because('needs a recovered database; `npm run test:recovery` makes one'),
    ],
  ],
  'docs/operating/capacity.md': [
    ['services:', FRAGMENT],
    ['pay.example.com {', FRAGMENT],
    ['node --single-threaded-gc bench/overload.ts', BENCH],
  ],
  'docs/operating/citus.md': [
    ['host  quittance  postgres          10.0.0.10/32  trust', FRAGMENT],
    [
      "select isolate_tenant_to_new_shard('business_clocks', 'biz_…', 'CASCADE', shard_transfer_mode => 'block_writes');",
      CITUS,
    ],
    ["select citus_create_restore_point('quittance-2026-11-26T10:05:00Z');", CITUS],
    [
      "select citus_update_node(nodeid, '10.0.0.21', 5432) from pg_dist_node where nodename = '10.0.0.11' and nodeport = 5432;",
      CITUS,
    ],
  ],
  'docs/operating/deploying.md': [
    ["create user quittance createrole password 'secret';", MACHINE],
    ['docker compose -f deploy/compose.yaml up --build', DOCKER],
    [
      'docker compose -f deploy/compose.yaml exec api node src/main.js users create --email you@example.com --operator',
      DOCKER,
    ],
    ['echo PUBLIC_URL=https://pay.example.com >> deploy/.env', DOCKER],
    [
      'KEY=... BASE=http://127.0.0.1:8080',
      { as: 'shell', replace: { 'KEY=... BASE=http://127.0.0.1:8080': 'KEY=$API_KEY BASE=$BASE_URL' } },
    ],
    ['pay.example.com {', FRAGMENT],
    ['docker build -f deploy/Dockerfile -t quittance:0.1.0 .', DOCKER],
    [
      'kubectl create secret generic quittance --from-literal=database-url=postgres://quittance:secret@db/quittance \\',
      KUBERNETES,
    ],
    [
      'kubectl exec -it deploy/quittance-api -- node src/main.js users create --email you@example.com --operator',
      KUBERNETES,
    ],
    ['extraVolumes:', FRAGMENT],
    ['apt-get install --no-install-recommends libatomic1', MACHINE],
  ],
  'docs/operating/failover.md': [
    [
      "export DATABASE_URL='postgres://quittance:secret@10.0.0.1:5432,10.0.0.2:5432/quittance?target_session_attrs=read-write'",
      SETTINGS,
    ],
    ['synchronous_commit = on            # remote_apply is as safe; local and off are not', FRAGMENT],
    ['apt-get install --no-install-recommends postgresql-common', MACHINE],
    [
      'pg_autoctl create monitor --pgdata /var/lib/postgresql/monitor --pgport 6000 --hostname 10.0.0.9 \\',
      REPLICAS,
    ],
    ['export PGPASSWORD=replica-secret', REPLICAS],
    [
      `psql -d quittance -c "alter user pgautofailover_replicator password 'replica-secret'" -c "alter user quittance password 'secret'"`,
      REPLICAS,
    ],
    ['alter system set pgautofailover.health_check_period = 1000;', REPLICAS],
    [
      'npm run simulate -- --failovers 50 --plans 300 --orders 1500       # the PostgreSQL that npm brings',
      BENCH,
    ],
    ['export DATABASE_REPLICA_URL=postgres://quittance:secret@10.0.0.2,10.0.0.3/quittance', SETTINGS],
  ],
  'docs/operating/personal-data.md': [
    [
      'npm run quittance -- keys create --app APP_ID --env live --scope privacy:read --name erasures    # once; prints the key',
      { as: 'shell', replace: { APP_ID: '"$APP_ID"', $KEY: '$API_KEY', $URL: '$BASE_URL' } },
    ],
    [
      'npm run quittance -- erase-again --business CODE --env live $(tail -n +2 erasures-2026-11-23.csv | cut -d , -f 1)',
      ERASURES,
    ],
  ],
  'docs/operating/upgrading.md': [
    ['compose() { docker compose -f deploy/compose.yaml "$@"; }', DOCKER],
    ['systemctl stop quittance@api quittance@worker', MACHINE],
  ],
  'docs/operating/watching.md': [
    ["(printf '%s\\n' 'apiVersion: monitoring.coreos.com/v1' 'kind: PrometheusRule' \\", KUBERNETES],
    ['export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318', SETTINGS],
    ['alerting:', FRAGMENT],
  ],
}

interface Block {
  readonly firstLine: string
  readonly text: string
}

async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(REPOSITORY_ROOT, page), 'utf8')
  return [...text.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block = '']) => ({
    firstLine: block.slice(0, block.indexOf('\n')),
    text: block,
  }))
}

test('each block of code in the README, the guides and the SDK is run, or has a reason why not', async () => {
  const options = { cwd: REPOSITORY_ROOT }
  const pages = ['README.md', 'sdk/README.md', ...globSync(['docs/*.md', 'docs/operating/*.md'], options)]
  const found = await Promise.all(
    pages.map(async (page) => [page, (await blocksOf(page)).map(({ firstLine }) => firstLine)] as const),
  )
  const known = Object.entries(PAGES).map(
    ([page, blocks]) => [page, blocks.map(([firstLine]) => firstLine)] as const,
  )
  expect(Object.fromEntries(found.filter(([, blocks]) => blocks.length > 0))).toEqual(
    Object.fromEntries(known),
  )
})

const RUN = Object.entries(PAGES).filter(([, blocks]) =>
  blocks.some(([, use]) => typeof use === 'string' || 'as' in use),
)

test.each(RUN)(
  'the code of %s works as it is written, one block after the other, on an empty database',
  { timeout: 300_000 },
  async (page, uses) => {
    const service = await startService({ env: { DATABASE_URL: await createMigratedDatabase() } })
    const folder = await mkdtemp(join(tmpdir(), 'quittance-documentation-'))
    try {
      await symlink(join(REPOSITORY_ROOT, 'node_modules'), join(folder, 'node_modules'))
      await symlink(service.dataDir, join(folder, 'data'))
      const main = JSON.stringify(join(REPOSITORY_ROOT, 'src/main.js'))
      const scripts = { quittance: `exec node ${main}` }
      await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts }))
      await runBlocks(await blocksOf(page), { uses: uses.map(([, use]) => use), folder, service })
    } finally {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)

async function runBlocks(
  blocks: readonly Block[],
  { uses, folder, service }: { uses: readonly Use[]; folder: string; service: Service },
): Promise<void> {
  const { api_key: apiKey, base_url: baseUrl, app_id: appId, customer_code: customerCode } = service.sandbox
  const environment = { API_KEY: apiKey, BASE_URL: baseUrl, APP_ID: appId, CUSTOMER_CODE: customerCode }
  let program: string[] = []
  let printed = ''
  const start = async (file: string, args: readonly string[]) => {
    const { PATH = '', HOME = '' } = process.env
    const env = { PATH, HOME, ...service.env, ...environment }
    return (await run(file, args, { cwd: folder, env })).stdout
  }
  const endProgram = async () => {
    if (program.length === 0) return
    await writeFile(join(folder, 'program.mts'), moduleOf(program, environment))
    program = []
    printed = await start(process.execPath, ['program.mts'])
  }
  for (const [index, { text }] of blocks.entries()) {
    const use = uses[index] ?? because('unknown')
    if (typeof use === 'object' && 'because' in use) continue
    const { as, replace, before = '' } = typeof use === 'string' ? { as: use, replace: {} } : use
    const code = Object.entries(replace).reduce((left, [from, to]) => left.replaceAll(from, to), text)
    if (as !== 'continued' && as !== 'scoped') await endProgram()
    if (as === 'program') program = [code]
    if (as === 'continued') program.push(code)
    if (as === 'scoped') program.push(`{\n${before}\n${code}\n}`)
    // curl ends well whatever the service replies.
    if (as === 'shell')
      expect(await start('bash', ['-euo', 'pipefail', '-c', code])).not.toContain('"error":')
    if (as === 'output') expect(printed).toBe(text)
  }
  await endProgram()
}

/** Imports stand at the top of a module, each once. `made` is what the first block of the SDK's README made. */
function moduleOf(parts: readonly string[], values: Readonly<Record<string, string>>): string {
  const imports = new Set<string>()
  const bodies = parts.map((part) =>
    part.replaceAll(/^import .*$/gm, (line) => {
      imports.add(line)
      return ''
    }),
  )
  const constants = Object.entries(values).map(([name, value]) => `const ${name} = ${JSON.stringify(value)}`)
  const made = bodies.some((body) => body.includes('made.'))
    ? ['const made = { order: order.number, transaction: transaction.uuid, token, customer: customer.uuid }']
    : []
  return [...imports, ...constants, bodies[0], ...made, ...bodies.slice(1)].join('\n')
}
