import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startSimulator } from '#modules/acquirers'
import { readConfig } from '#platform/config'
import { KeyFile } from '#platform/security/key-source'
import { createLog } from '#platform/observability/log'
import { cleanUp } from '#platform/testing/clean-up'
import { createTestDatabase } from '#platform/testing/database'
import { startOwnSimulator } from './acquirer-books.ts'
import { type EndedCommand, runInProcess } from './testing/run-in-process.ts'

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url))
const { url, admin } = await createTestDatabase()
const dataDir = await directory()
// The state that a service leaves in its DATA_DIR.
await KeyFile.open(dataDir)

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'quittance-commands-'))
  cleanUp(() => rm(path, { recursive: true }))
  return path
}

function quittance(args: readonly string[], env: Record<string, string> = {}): Promise<EndedCommand> {
  return runInProcess({ DATA_DIR: dataDir, DATABASE_URL: url, ...env }, args)
}

/** As the operator starts it. Takes a second more. */
function quittanceProcess(args: readonly string[], env: Record<string, string> = {}): Promise<EndedCommand> {
  return new Promise((resolve) => {
    const all = { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: url, ...env }
    execFile(process.execPath, [MAIN, ...args], { env: all }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}

async function json(
  args: readonly string[],
  env: Record<string, string> = {},
  run = quittance,
): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await run([...args, '--json'], env)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout) as Record<string, unknown>
}

// Proves reference/operations#command-line, reference/operations#verify, reference/operations#encryption-keys, reference/operations#settings.
test('the command line creates a business and creates, lists and revokes its keys', async () => {
  const business = await json(
    ['businesses', 'create', '--name', 'Kowloon Books', '--currency', 'JPY'],
    { PUBLIC_URL: 'https://pay.example.com' },
    quittanceProcess,
  )
  expect(Object.keys(business).toSorted()).toEqual([
    'api_key',
    'app_id',
    'base_url',
    'business_id',
    'customer_code',
    'webhook_secret',
  ])
  expect(business['base_url']).toBe('https://pay.example.com')
  const app = String(business['app_id'])
  const live = await json([
    'keys',
    'create',
    '--app',
    app,
    '--env',
    'live',
    '--scope',
    'payments:read,cards:write',
    '--scope',
    'wallets:read',
  ])
  expect(live).toEqual({
    key_id: expect.stringMatching(/^key_/),
    app_id: app,
    api_key: expect.stringMatching(/^qk_live_/),
  })
  const keyId = String(live['key_id'])
  expect(await json(['keys', 'revoke', keyId])).toEqual({ key_id: keyId, revoked: true })
  const { stdout } = await quittance(['keys', 'list', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    keys: [
      { app_id: app, environment: 'test', state: 'active' },
      {
        key_id: keyId,
        environment: 'live',
        state: 'revoked',
        scopes: ['payments:read', 'cards:write', 'wallets:read'],
      },
    ],
  })
  expect(stdout).not.toContain(String(live['api_key']))
})

// Early, because each business that a test creates makes a verification longer.
test('if the service has its keys elsewhere, no command creates new ones, and commands that need no keys work', async () => {
  const elsewhere = { DATA_DIR: await directory() }
  for (const args of [
    ['businesses', 'create', '--name', 'Nobody'],
    ['keys', 'rotate-encryption'],
  ]) {
    const { exitCode, stdout, stderr } = await quittance(args, elsewhere)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/^Set ENCRYPTION_KEYS as for the service.*\n$/)
  }
  for (const args of [['keys', 'list'], ['migrate'], ['verify']]) {
    expect((await quittance(args, elsewhere)).exitCode).toBe(0)
  }
  expect(await readdir(elsewhere.DATA_DIR)).toEqual([])
  const { rows } = await admin.query(`select from businesses where name = 'Nobody'`)
  expect(rows).toEqual([])
})

test('verify compares the books at SIMULATOR_URL, never those of another database, and warns if it has none', async () => {
  const dataDirOfOther = await directory()
  const other = readConfig({ DATA_DIR: dataDirOfOther })
  const simulator = await startOwnSimulator(other, createLog({ level: 'silent' }))
  onTestFinished(() => simulator.close())
  const card = { number: '4242424242424242', exp_month: 1, exp_year: 2040, holder_name: 'A B' }
  const sale = { key: 'elsewhere', at: '2031-01-01T00:00:00Z', amount: '10.00', currency: 'HKD', card }
  const sold = await fetch(`${simulator.url}/sales`, { method: 'POST', body: JSON.stringify(sale) })
  expect(sold.status).toBe(200)

  const without = await quittance(['verify'], { DATA_DIR: dataDirOfOther })
  expect(without.exitCode).toBe(0)
  expect(without.stderr).toMatch(/^The acquirer's books were not compared\. Set SIMULATOR_URL .*\n$/)
  expect(without.stdout).toMatch(/^No rule is broken in \d+ tenants\.\n$/)

  const compared = await quittance(['verify'], { SIMULATOR_URL: simulator.url })
  expect({ exitCode: compared.exitCode, stderr: compared.stderr }).toEqual({ exitCode: 1, stderr: '' })
  expect(JSON.parse(compared.stdout)).toMatchObject({ breaches: [{ object: 'elsewhere' }] })
})

test('verify exits 0 if no rule is broken and 1 with the list of breaches otherwise', async () => {
  const { business_id: businessId } = await json(['businesses', 'create', '--name', 'Verified'])
  const clean = await quittance(['verify', '--json'])
  expect(clean.exitCode).toBe(0)
  expect(JSON.parse(clean.stdout)).toEqual({ breaches: [] })
  await admin.query(
    `insert into events (business_id, id, object_id, sequence, type, timestamp, data)
     values ($1, 'evt_1', 'ord_1', 2, 'order.created', now(), '{}')`,
    [businessId],
  )
  const { exitCode, stdout } = await quittanceProcess(['verify', '--json'])
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ breaches: [{ business_id: businessId, object: 'ord_1' }] })
})

test('verify checks the chain of the operator, and says how many actions have no end', async () => {
  const { business_id: chain } = await json(['businesses', 'create', '--name', 'Unfinished'])
  await admin.query(`select set_config('quittance.business_id', $1, false)`, [chain])
  await admin.query(
    `select quittance_append_audit_entry($1, '2026-01-01T00:00:00Z',
       '{"id":"aud_1","state":"started","created_at":"2026-01-01T00:00:00Z","actor":{"type":"user","id":"u"},"action":"a.b"}')`,
    [chain],
  )
  const { stderr } = await quittance(['verify'])
  expect(stderr).toContain('The audit log has 1 actions without an end. It lists them as "started".\n')
  await admin.query(`update audit_entries set hash = 'x' where business_id = 'operator' and sequence = 1`)
  const { stdout } = await quittance(['verify', '--json'])
  expect(stdout).toContain('"rule":"audit_chain_is_unbroken","business_id":"operator"')
})

test('the version names the newest migration, without a database', async () => {
  const { exitCode, stdout } = await quittanceProcess(['--version'], { DATABASE_URL: '' })
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^\d+\.\d+\.\d+, migration \d{4}_\w+\n$/)
})

test('businesses and keys are listed with their names, expiry and last use', async () => {
  const { app_id: app, customer_code: code } = await json(['businesses', 'create', '--name', 'Listed Ltd'])
  const create = ['keys', 'create', '--app', String(app), '--env', 'live', '--scope', 'payments:read']
  const { key_id: keyId } = await json([...create, '--name', 'Till', '--expires-in', 'P1D'])
  const { businesses } = (await json(['businesses', 'list'])) as { businesses: Record<string, unknown>[] }
  expect(businesses.find((business) => business['customer_code'] === code)).toEqual({
    customer_code: code,
    name: 'Listed Ltd',
    time_zone: 'Asia/Hong_Kong',
    currency: 'HKD',
    test_business_id: expect.stringMatching(/^biz_/),
    live_business_id: expect.stringMatching(/^biz_/),
  })
  const { keys } = (await json(['keys', 'list'])) as { keys: Record<string, unknown>[] }
  expect(keys.find((key) => key['key_id'] === keyId)).toMatchObject({
    name: 'Till',
    expires_at: expect.stringMatching(/Z$/),
    last_used_at: null,
  })
  const { stdout: table } = await quittance(['keys', 'list'])
  expect(table).toMatch(/^KEY +NAME +STATE +ENV +BUSINESS +APP +EXPIRES +LAST USED +SCOPES\n/)
  expect(table).toMatch(
    new RegExp(
      `\n${String(keyId)} +Till +active +live +Listed Ltd +${String(app)} .*Z +never +payments:read\n`,
    ),
  )
  expect((await quittance(['businesses', 'list'])).stdout).toContain(`${String(code)}  Listed Ltd`)
})

test('a name of a merchant cannot rewrite the terminal of the operator', async () => {
  const name = 'Till\u001b[2J\n\u009b1A\u202edekover'
  const { app_id: app } = await json(['businesses', 'create', '--name', 'Terminal Ltd'])
  const args = ['keys', 'create', '--app', String(app), '--env', 'live', '--scope', 'payments:read']
  const { key_id: keyId } = await json([...args, '--name', name])
  const { stdout } = await quittance(['keys', 'list'])
  expect(stdout).toMatch(new RegExp(`\n${String(keyId)} +Till \\[2J 1A dekover +active +live +Terminal Ltd `))
})

// Proves reference/logs#audit-entries.

test('what a command changes or reveals is in the audit log, with the account and the machine, and no secret', async () => {
  const business = await json(['businesses', 'create', '--name', 'Audited Ltd'])
  const { key_id: keyId, api_key: secret } = await json(
    ['keys', 'create', '--scope', 'payments:read', '--env', 'test'].concat(
      '--app',
      String(business['app_id']),
    ),
  )
  await json(['keys', 'revoke', String(keyId)])
  expect((await quittance(['keys', 'revoke', 'key_none'])).exitCode).toBe(1)
  const entries = async (chain: unknown, action: string) => {
    const { rows } = await admin.query<{ document: string }>(
      'select document::text as document from audit_entries where business_id = $1 and action = $2 order by sequence',
      [chain, action],
    )
    return rows.map(({ document }) => JSON.parse(document) as Record<string, unknown>)
  }
  expect(await entries(business['business_id'], 'api_keys.revoke')).toMatchObject([
    { state: 'started', actor: { type: 'command_line', id: userInfo().username }, origin: hostname() },
    { state: 'completed', object: { type: 'api_keys', id: keyId }, after: { revoked: true } },
  ])
  expect((await entries('operator', 'businesses.create')).at(-1)).toMatchObject({
    state: 'completed',
    after: { customer_code: business['customer_code'], api_key: '[redacted]', webhook_secret: '[redacted]' },
  })
  expect((await entries('operator', 'api_keys.revoke')).at(-1)).toMatchObject({
    state: 'refused',
    reason: 'No API key has the id key_none.',
  })
  const { rows } = await admin.query('select document::text from audit_entries')
  for (const shown of [business['api_key'], business['webhook_secret'], secret])
    expect(JSON.stringify(rows)).not.toContain(shown)
})

test('a command makes no database where there is none, and names the DATA_DIR that it looked at', async () => {
  const empty = await directory()
  const missing = join(empty, 'missing')
  for (const DATA_DIR of [empty, missing]) {
    for (const args of [
      ['keys', 'list'],
      ['verify'],
      ['migrate'],
      ['businesses', 'create', '--name', 'Lost'],
    ]) {
      expect(await quittance(args, { DATABASE_URL: '', DATA_DIR })).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `There is no database in DATA_DIR ${DATA_DIR}. Set DATA_DIR or DATABASE_URL as for the service, or make a database with npm start.\n`,
      })
    }
  }
  expect(await readdir(empty)).toEqual([])
})

test("the command line shows and rotates each environment's webhook secret", async () => {
  const business = await json(['businesses', 'create', '--name', 'Signed'])
  const code = String(business['customer_code'])
  const secret = (action: 'show' | 'rotate', env: 'test' | 'live') =>
    json(['businesses', `${action}-webhook-secret`, '--code', code, '--env', env])
  expect(await secret('show', 'test')).toEqual({
    business_id: business['business_id'],
    customer_code: code,
    environment: 'test',
    webhook_secret: business['webhook_secret'],
  })
  const live = await secret('show', 'live')
  expect(live).toMatchObject({ environment: 'live', webhook_secret: expect.stringMatching(/^whsec_/) })
  const rotated = await secret('rotate', 'live')
  expect(rotated).toEqual({ ...live, webhook_secret: expect.stringMatching(/^whsec_/) })
  expect(rotated['webhook_secret']).not.toBe(live['webhook_secret'])
  expect(await secret('show', 'live')).toEqual(rotated)
  expect(await secret('show', 'test')).toMatchObject({ webhook_secret: business['webhook_secret'] })
})

test('a command that fails prints one sentence and no stack', async () => {
  const linkToNowhere = join(await directory(), 'link')
  await symlink(join(linkToNowhere, '../unmounted'), linkToNowhere)
  for (const [run, args, env, sentence] of [
    [quittanceProcess, ['keys', 'revoke', 'key_1'], {}, /^No API key has the id key_1\.\n$/],
    [
      quittance,
      ['keys', 'create', '--app', 'a', '--env', 'test', '--scope', 'all'],
      {},
      /^No app has the id a\.\n$/,
    ],
    [
      quittance,
      ['businesses', 'rotate-webhook-secret', '--code', 'mch_1', '--env', 'live'],
      {},
      /^No business has the code mch_1\.\n$/,
    ],
    [
      quittance,
      ['keys', 'remove-signing-key', '--app', 'app_1', '--env', 'live'],
      {},
      /^App app_1 has no signing key in live\.\n$/,
    ],
    [quittance, ['keys', 'list'], { PORT: 'x' }, /^PORT must be a whole number from 0 to 65535\.\n$/],
    [
      quittance,
      ['keys', 'list'],
      { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' },
      /^Cannot reach the database: .*\n$/,
    ],
    [
      quittance,
      ['verify'],
      {},
      /^Cannot read the acquirer's books at http:\/\/127\.0\.0\.1:1: nothing is listening there\. .*\n$/,
    ],
    [quittanceProcess, ['verfiy'], {}, /^error: unknown command 'verfiy'\n\(Did you mean verify\?\)\n$/],
    [
      quittanceProcess,
      ['start'],
      { HOST: '999.1.1.1' },
      /^Cannot listen on HOST 999\.1\.1\.1, PORT 8080 \(.*\)\. Choose a different one\.\n$/,
    ],
    [
      quittanceProcess,
      ['start'],
      { DATABASE_URL: '', DATA_DIR: MAIN },
      /^DATA_DIR must be a directory .*EEXIST: .*\n$/,
    ],
    [
      quittanceProcess,
      ['start'],
      { DATABASE_URL: '', DATA_DIR: linkToNowhere },
      /^DATA_DIR must be a directory .*EEXIST: .*\n$/,
    ],
    [
      quittanceProcess,
      ['start'],
      { DATABASE_URL: '', DATA_DIR: '/proc/quittance' },
      /^DATA_DIR must be a directory .*ENOENT: .*\n$/,
    ],
    [
      quittance,
      ['keys', 'list'],
      { DATABASE_URL: 'postgres:///x?host=127.0.0.1&port=99999' },
      /^The port in DATABASE_URL must be a whole number from 1 to 65535\.\n$/,
    ],
    [
      quittance,
      ['keys', 'rotate-encryption'],
      { ENCRYPTION_KEYS: '02'.repeat(32) },
      /^ENCRYPTION_KEYS lacks keys that the database is encrypted with .*\n$/,
    ],
    [
      quittance,
      ['keys', 'list'],
      { ENCRYPTION_KEYS: 'hunter2' },
      /^Key 1 of ENCRYPTION_KEYS must be (?!.*hunter2).*\n$/,
    ],
  ] as const) {
    const { exitCode, stdout, stderr } = await run(args, {
      SIMULATOR_URL: 'http://127.0.0.1:1',
      LOG_LEVEL: 'silent',
      ...env,
    })
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(sentence)
  }
})

test('`api` and `worker` start only with the settings that they share, and name the missing ones', async () => {
  const shared = { ENCRYPTION_KEYS: '01'.repeat(32), SIMULATOR_URL: 'http://127.0.0.1:1' }
  for (const [role, env, missing] of [
    ['api', { DATABASE_URL: '' }, 'DATABASE_URL, ENCRYPTION_KEYS, SIMULATOR_URL'],
    ['worker', {}, 'ENCRYPTION_KEYS, SIMULATOR_URL'],
    ['worker', { ...shared, SIMULATOR_URL: '' }, 'SIMULATOR_URL'],
    ['api', { ...shared, ENCRYPTION_KEYS: '' }, 'ENCRYPTION_KEYS'],
  ] as const) {
    const { exitCode, stderr } = await quittanceProcess([role], env)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(new RegExp(`^[^\n]*must be set: ${missing}\\.\n$`))
  }
})

test('a second service on the simulator of the same DATA_DIR is refused with one sentence', async () => {
  const dataDirectory = await directory()
  const books = join(dataDirectory, 'simulator')
  const simulator = await startSimulator({ port: 0, dir: books, log: createLog({ level: 'silent' }) })
  const { exitCode, stdout, stderr } = await quittanceProcess(['start'], {
    DATA_DIR: dataDirectory,
    PORT: '0',
    LOG_LEVEL: 'silent',
  })
  await simulator.close()
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toBe(
    `Another simulator is using the books in ${books}. Stop it first, or set a different DATA_DIR or SIMULATOR_DIR.\n`,
  )
})

test('every rotation re-encrypts all secrets with a new key', async () => {
  const first = await json(['keys', 'rotate-encryption'])
  expect(first['records']).toBeGreaterThan(0)
  const second = await json(['keys', 'rotate-encryption'])
  expect(second['encryption_key_id']).not.toBe(first['encryption_key_id'])
  expect(second['records']).toBe(first['records'])
  const { rows } = await admin.query<{ webhook_secret: string }>('select webhook_secret from businesses')
  for (const row of rows) expect(row.webhook_secret).toContain(`.${String(second['encryption_key_id'])}.`)
})
