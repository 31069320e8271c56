import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { verifyWebhook } from '../../sdk/src/index.ts'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { Client } from '../../scenarios/harness/client.ts'
import { walletSettings } from '../../scenarios/harness/chains.ts'
import { startScenario } from '../../scenarios/harness/scenario.ts'
import { startAnvil } from '../../src/modules/wallets/testing/anvil.ts'
import { startHttpServer } from '../../src/platform/testing/http-server.ts'
import { startReceiver } from '../../src/platform/testing/receiver.ts'
import { CLIENT_COMMANDS, runCommandLine } from '../../src/commands/command-line.ts'
import { commandLine } from './harness.ts'

const anvil = await startAnvil()
afterAll(() => anvil.stop())
const { service } = await startScenario({
  env: { ALLOW_PRIVATE_WEBHOOKS: '1', ...(await walletSettings(anvil.url, { sandbox: true })) },
})
const cli = await commandLine({
  QUITTANCE_URL: service.sandbox.base_url,
  QUITTANCE_API_KEY: service.sandbox.api_key,
})
afterAll(() => cli.remove())

const EVENTS = '/svc/event/api/v1/openapi/events'

interface LogRow {
  readonly request_id: string
  readonly path: string
  readonly reason: string | null
}

function commandsIn(help: string): string[] {
  const list = help.slice(help.indexOf('Commands:'))
  return [...list.matchAll(/^ {2}([a-z][a-z-]*) /gm)]
    .map(([, word = '']) => word)
    .filter((word) => word !== 'help')
}

async function json<Value>(...args: string[]): Promise<Value> {
  const { exitCode, stdout, stderr } = await cli.run(...args)
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  return JSON.parse(stdout) as Value
}

test('each of the two commands quittance shows the line to type for a word that only the other one knows', async () => {
  const { stdout: help } = await cli.spawned('--help')
  expect(commandsIn(help)).toEqual(CLIENT_COMMANDS)
  const written: string[] = []
  const stream = { write: (text: string) => void written.push(text), columns: 80 }
  const operator = (word: string) =>
    runCommandLine([word], {
      env: {},
      terminal: { stdout: stream, stderr: stream },
      askPassword: async () => undefined,
      serve: async () => {},
    })
  for (const word of CLIENT_COMMANDS) {
    written.length = 0
    expect(await operator(word)).toBe(1)
    expect(written.join('')).toContain(`Type: npx quittance ${word}\n`)
  }
  written.length = 0
  await operator('--help')
  const operators = commandsIn(written.join(''))
  expect(operators).toContain('verify')
  for (const word of operators) {
    const { exitCode, stderr } = await cli.run(word)
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`npm run quittance -- ${word}\n`)
  }
})

test('the key of a profile goes only to the address that it was saved with', async () => {
  const asked: (string | undefined)[] = []
  const stranger = await startHttpServer(({ headers }, response) => {
    asked.push(headers.authorization)
    response.writeHead(401).end()
  })
  const fresh = await commandLine()
  const elsewhere = await commandLine({ QUITTANCE_URL: stranger, XDG_CONFIG_HOME: fresh.directory })
  onTestFinished(async () => {
    await Promise.all([fresh.remove(), elsewhere.remove()])
  })
  const { base_url: url, api_key: key } = service.sandbox
  await fresh.spawned('login', '--url', url, '--api-key', key)
  for (const [shell, args] of [
    [elsewhere, []],
    [elsewhere, ['--profile', 'default']],
    [fresh, ['--url', stranger]],
  ] as const) {
    const refused = await shell.run('orders', 'list', ...args)
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain(`for ${url}, and`)
  }
  expect(asked).toEqual([])
  const other = `qk_test_${'0'.repeat(49)}`
  await elsewhere.run('orders', 'list', '--api-key', other)
  expect(asked).toContain(`Bearer ${other}`)
})

test('a profile is saved only when the service knows its key, and only its owner can read it', async () => {
  const fresh = await commandLine()
  onTestFinished(() => fresh.remove())
  expect(await fresh.run('orders', 'list')).toMatchObject({
    exitCode: 1,
    stderr: 'You are not logged in. Run: quittance login\n',
  })
  const { base_url: url, api_key: key } = service.sandbox
  const refused = await fresh.run('login', '--url', url, '--api-key', `qk_test_${'0'.repeat(49)}`)
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused.stderr).toContain('[unauthenticated]')
  expect(await fresh.run('login', '--url', url, '--api-key', key)).toMatchObject({ exitCode: 0 })
  const file = join(fresh.directory, 'quittance', 'profiles.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(JSON.parse((await fresh.run('orders', 'list')).stdout)).toEqual(expect.any(Array))
  await fresh.run('login', '--profile', 'other', '--url', url, '--api-key', key)
  expect(JSON.parse((await fresh.run('profiles', 'list')).stdout)).toMatchObject([
    { name: 'default', current: false },
    { name: 'other', current: true, url, environment: 'test' },
  ])
  await fresh.run('profiles', 'use', 'default')
  expect(await fresh.run('orders', 'list', '--url', `${url}/`)).toMatchObject({ exitCode: 0 })
  await fresh.run('logout', '--profile', 'other')
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    current: 'default',
    profiles: { default: { url, api_key: key } },
  })
})

test('errors say what is wrong, end with 1, and leave the standard output empty', async () => {
  const { base_url: url } = service.sandbox
  for (const [args, message] of [
    [['orders', 'get', 'ord_unknown'], 'order_not_found'],
    [['orders', 'list', '--filter', 'nonsense = 1'], 'at filter'],
    [['orders', 'list', '--url', 'http://127.0.0.1:1'], 'The service cannot be reached'],
    [['orders', 'list', '--url', 'pay.example.com'], 'is not the address of a service'],
    [['orders', 'list', '--api-key', 'sk_test_1', '--url', url], 'begins with qk_test_'],
    [['orders', 'list', '--limit', '0'], 'It must be a number from 1 to 100000.'],
    [['orders', 'list', '--profile', 'missing'], 'There is no profile missing.'],
    [['clock', 'advance'], 'Give a duration'],
    [['events', 'resend', 'evt_unknown'], 'No delivery of evt_unknown exists'],
    [['request', 'patch', '/'], 'The API has no method patch'],
    [['request', 'post', '/x', '--data', '{'], 'The body is not JSON'],
    [['trigger', 'order.unknown'], 'Allowed choices are'],
    [['clock', 'show', '--api-key', `qk_live_${'0'.repeat(49)}`], 'needs a key of the test environment'],
  ] as const) {
    const result = await cli.run(...args)
    expect(result, args.join(' ')).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain(message)
  }
  const refused = ['orders', 'list', '--profile', 'missing']
  expect(await cli.spawned(...refused)).toEqual(await cli.run(...refused))
})

/** A settlement has no event of its own. */
function isEvent(trigger: string): boolean {
  return trigger !== 'settlement'
}

// Proves reference/sandbox#triggers.
test('every trigger makes its event happen', async () => {
  const { stdout } = await cli.spawned('trigger')
  const client = new Client(service.sandbox)
  for (const type of stdout.trim().split('\n').filter(isEvent)) {
    const made = await json<Record<string, string>>('trigger', type)
    await vi.waitUntil(
      async () => {
        const { events } = await client.ok('GET', `${EVENTS}?type=${type}&limit=1`)
        const [event] = events
        return event !== undefined && Object.values(made).includes(event.object_id)
      },
      { timeout: 60_000, interval: 100 },
    )
  }
}, 180_000)

test('a listener forwards each event once, signed and digit by digit, to an address that only this machine reaches', async () => {
  const receiver = await startReceiver()
  const listener = cli.start('listen', '--forward-to', receiver.url, '--events', 'order.created')
  let notes = ''
  listener.stderr?.on('data', (chunk) => (notes += String(chunk)))
  await vi.waitUntil(() => notes.includes('Your webhook secret is'), { timeout: 60_000 })
  const secret = /whsec_\S+/.exec(notes)?.[0] ?? ''
  await writeFile(
    join(cli.directory, 'order.json'),
    '{"order": {"reference_number": "exact", "currency": "HKD", "initial_total": 90071992547409.93}}',
  )
  const path = '/svc/payment/api/v1/openapi/orders'
  const { order } = await json<{ order: { number: string } }>(
    'request',
    'post',
    path,
    '--data',
    '@order.json',
  )
  await cli.run('trigger', 'card.linked')
  const message = await vi.waitUntil(() => receiver.received[0], { timeout: 60_000 })
  const event = await verifyWebhook(message.text, message.headers, secret)
  expect(event).toMatchObject({ type: 'order.created', object_id: order.number })
  expect(message.text).toContain('"initial_total":90071992547409.93')
  listener.kill('SIGINT')
  expect(await once(listener, 'exit')).toEqual([0, null])
  expect(receiver.received).toHaveLength(1)
})

test('an event is sent again to the endpoint that it went to', async () => {
  const receiver = await startReceiver()
  const endpoint = { endpoint: { url: receiver.url, types: ['order.created'] } }
  await json('request', 'post', '/svc/event/api/v1/openapi/endpoints', '--data', JSON.stringify(endpoint))
  const { order } = await json<{ order: string }>('trigger', 'order.created')
  const [event] = await json<{ id: string }[]>('events', 'list', '--object', order)
  await vi.waitUntil(() => receiver.received.length === 1, { timeout: 60_000 })
  expect(await json('events', 'resend', event?.id ?? '')).toMatchObject([{ event_id: event?.id }])
  await vi.waitUntil(() => receiver.received.length === 2, { timeout: 60_000 })
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([event?.id, event?.id])
})

test('the log lists, tails and shows requests, and leaves its own reads out', async () => {
  const listener = cli.start('listen')
  const tail = cli.start('logs', 'tail')
  let lines = ''
  tail.stdout?.on('data', (chunk) => (lines += String(chunk)))
  let notes = ''
  tail.stderr?.on('data', (chunk) => (notes += String(chunk)))
  await vi.waitUntil(() => notes.includes('Stop with Ctrl+C'), { timeout: 60_000 })
  const polls = () => json<LogRow[]>('logs', 'list', '--filter', `path = "${EVENTS}"`)
  await vi.waitUntil(async () => (await polls()).length > 1, { timeout: 60_000 })
  const { order } = await json<{ order: string }>('trigger', 'order.created')
  await vi.waitUntil(() => lines.includes(order), { timeout: 60_000 })
  listener.kill('SIGINT')
  tail.kill('SIGINT')
  expect(await once(tail, 'exit')).toEqual([0, null])
  expect(lines).not.toContain(EVENTS)

  await cli.run('orders', 'get', 'ord_unknown')
  const newest = () => json<LogRow[]>('logs', 'list', '--status', '4xx', '--limit', '1')
  await vi.waitUntil(async () => (await newest())[0]?.reason === 'order_not_found', { timeout: 60_000 })
  const [failed] = await newest()
  expect(failed).toMatchObject({ status: 404 })
  const shown = await json<{ request_body: unknown }>('logs', 'get', failed?.request_id ?? '')
  expect(JSON.stringify(shown.request_body)).toContain('ord_unknown')

  const all = await json<LogRow[]>('logs', 'list', '--limit', '500')
  expect(all.filter(({ path }) => path.startsWith('/svc/log/'))).toEqual([])
  expect(await json('logs', 'list', '--filter', 'reason = "no_such_reason"')).toEqual([])
})

test('a search finds a customer by a part of the e-mail address, and an order by its number', async () => {
  const customer = { reference_number: 'c-9', name: 'Lam Ka Yan', email: 'lam.ka.yan@example.com' }
  const path = '/svc/payment/api/v1/openapi/customers'
  const body = JSON.stringify({ customer: { ...customer, phone: '91234567' } })
  const made = await json<{ customer: { uuid: string } }>('request', 'post', path, '--data', body)
  expect(await json('search', 'lam.ka')).toMatchObject([{ type: 'customer', id: made.customer.uuid }])
  const { order } = await json<{ order: string }>('trigger', 'order.created')
  expect(await json('search', order)).toMatchObject([{ type: 'order', id: order, match: 'exact' }])
  expect(await json('search', 'nothing that exists')).toEqual([])
})

test('a customer is shown by its uuid and by its reference number, and transactions are listed', async () => {
  const { customer: uuid } = await json<{ customer: string }>('trigger', 'payment_token.active')
  const customer = await json<{ uuid: string; reference_number: string }>('customers', 'get', uuid)
  expect(customer.uuid).toBe(uuid)
  expect(await json('customers', 'get', customer.reference_number)).toEqual(customer)
  const { order } = await json<{ order: string }>('trigger', 'transaction.failed')
  expect(await json('transactions', 'list', '--filter', 'state = failed', '--limit', '1')).toMatchObject([
    { order_number: order, payment_data: { transaction_state: 'failed' } },
  ])
})

test('an order is shown with its numbers, and the clock advances', async () => {
  const { order } = await json<{ order: string }>('trigger', 'order.paid')
  expect(await json('orders', 'get', order)).toMatchObject({ order: { number: order, paid_total: '150.50' } })
  const before = await json<{ now: string }>('clock')
  const after = await json<{ now: string }>('clock', 'advance', 'P1D')
  expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(86_400_000)
})

test('totals are those of the API, grow with what is paid, and need a period that exists', async () => {
  interface Totals {
    readonly from: string
    readonly to: string
    readonly currencies: readonly { readonly currency: string; readonly orders_paid: number }[]
  }
  const paid = async () => {
    const { currencies } = await json<Totals>('totals', 'this_year')
    return currencies.reduce((sum, { orders_paid: orders }) => sum + orders, 0)
  }
  const before = await paid()
  await cli.run('trigger', 'order.paid')
  await expect.poll(paid).toBeGreaterThan(before)
  const client = new Client(service.sandbox)
  const { from, to } = await json<Totals>('totals', 'this_year')
  const path = `/svc/report/api/v1/openapi/totals?from=${from}&to=${to}`
  expect(await json('totals', '--from', from, '--to', to)).toEqual((await client.ok('GET', path)).totals)
  expect(await cli.run('totals', 'this_decade')).toMatchObject({ exitCode: 1, stdout: '' })
})

test('the page of an id in the console is printed where there is no terminal', async () => {
  expect((await cli.run('open', 'ord_1')).stdout).toBe(
    `${service.sandbox.base_url}/console/find/ord_1?environment=test\n`,
  )
})

test('a link to the portal opens at the page that was asked for, and read-only shows what the customer sees', async () => {
  const client = new Client(service.sandbox)
  const { uuid } = await client.createCustomer()
  await client.ok('PUT', '/svc/billing/api/v1/openapi/portal', {
    portal: { allow: { payment_methods: true } },
  })
  const session = await json<{ url: string; token: string }>('portal', uuid, '--flow', 'payment_method')
  const opened = await fetch(session.url, { method: 'POST', redirect: 'manual' })
  expect(opened.headers.get('location')).toContain('/portal/cards')
  const { token } = await json<{ token: string }>('portal', uuid, '--read-only', '--json')
  const base = `${service.sandbox.base_url}/svc/portal/api/v1/openapi`
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${base}/overview`, { headers })).status).toBe(200)
  expect((await cli.run('portal', uuid, '--send')).stderr).toContain('no e-mail address')
  expect(await cli.run('portal', 'cus_unknown')).toMatchObject({ exitCode: 1, stdout: '' })
})

test('completion knows the commands, their options and their choices, for each shell', async () => {
  expect((await cli.spawned('complete', '--', 'ord')).stdout).toMatch(/^orders\t/)
  expect((await cli.spawned('complete', '--', 'orders', '')).stdout).toMatch(/^list\t[^]*^get\t/m)
  expect((await cli.spawned('complete', '--', 'orders', 'list', '--')).stdout).toMatch(/^--filter\t/m)
  expect((await cli.spawned('complete', '--', 'trigger', 'order.p')).stdout).toMatch(/^order\.paid/)
})

const BIN = fileURLToPath(new URL('../bin/quittance.js', import.meta.url))
const SHELL_TIMEOUT_MS = 60_000

async function completionScript(shell: string): Promise<string> {
  const script = join(cli.directory, `completion.${shell}`)
  await writeFile(script, (await cli.spawned('completion', shell)).stdout)
  return script
}

function isInstalled(command: string): boolean {
  const directories = process.env['PATH']?.split(delimiter) ?? []
  return directories.some((directory) => existsSync(join(directory, command)))
}

test('bash completes the word at the cursor, without the package bash-completion and after loading the script twice', async () => {
  const script = await completionScript('bash')
  const typed = `
    quittance() { ${process.execPath} ${BIN} "$@"; }
    compopt() { :; }
    source ${script}; source ${script}
    COMP_WORDS=(quittance orders g) COMP_CWORD=2
    __quittance_complete
    echo "\${COMPREPLY[@]}"`
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', typed])
  expect({ stdout, stderr }).toEqual({ stdout: 'get\n', stderr: '' })
})

test.skipIf(!isInstalled('zsh'))(
  'zsh completes the word at the cursor, after loading the script twice (skipped where zsh is not installed)',
  async () => {
    const script = await completionScript('zsh')
    const setup = join(cli.directory, 'setup.zsh')
    await writeFile(
      setup,
      `
      quittance() {
        if [[ $1 == complete ]]; then ${process.execPath} ${BIN} "$@"; else print -r -- "ran <$*>"; fi
      }
      autoload -U compinit; compinit -u -D
      source ${script}; source ${script}`,
    )
    // zsh completes only where a line is typed, so this one types into another one's terminal.
    const typed = `
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell 'source ${setup}'
      zpty -w -n shell $'quittance orders g\\t\\n'
      zpty -r -m shell output '*ran <*>*'
      print -r -- "$output"
      zpty -d shell`
    const { stdout } = await promisify(execFile)('zsh', ['-f', '-c', typed], { timeout: SHELL_TIMEOUT_MS })
    expect(stdout).toContain('ran <orders get>')
  },
)

test.skipIf(!isInstalled('fish'))(
  'fish completes the word at the cursor, after loading the script twice (skipped where fish is not installed)',
  async () => {
    const script = await completionScript('fish')
    const typed = `
      function quittance; ${process.execPath} ${BIN} $argv; end
      source ${script}; source ${script}
      complete -C 'quittance orders g'`
    const { stdout, stderr } = await promisify(execFile)('fish', ['--no-config', '-c', typed], {
      timeout: SHELL_TIMEOUT_MS,
      env: { ...process.env, HOME: cli.directory },
    })
    expect({ stdout, stderr }).toEqual({ stdout: 'get\tshow one\n', stderr: '' })
  },
)
