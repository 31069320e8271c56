import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { cleanUp } from '#platform/testing/clean-up'
import { PAYMENTS } from './harness/client.ts'
import { liveClient } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'
import { REPOSITORY_ROOT } from './harness/service.ts'
import { openAdyenTwin } from '../twins/adyen/adyen-twin.ts'
import { openAirwallexTwin } from '../twins/airwallex/airwallex-twin.ts'
import { type OpenTwin, startTwinServer } from '../twins/common/server.ts'
import { openStripeTwin } from '../twins/stripe/stripe-twin.ts'

/** By the ports of the guide. */
const TWINS = { 12111: openStripeTwin, 12112: openAdyenTwin, 12113: openAirwallexTwin }

async function startTwin(open: OpenTwin): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'quittance-twin-'))
  const twin = await startTwinServer(open, { port: 0, dir })
  cleanUp(async () => {
    await twin.close()
    await rm(dir, { recursive: true })
  })
  return twin.url
}

const urls = await Promise.all(
  Object.entries(TWINS).map(
    async ([port, open]) => [`http://127.0.0.1:${port}`, await startTwin(open)] as const,
  ),
)
const { service, client } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })

/** All blocks but the first, which starts the processes. */
async function script(): Promise<string> {
  const text = await readFile(join(REPOSITORY_ROOT, 'docs/go-live.md'), 'utf8')
  const [, ...blocks] = [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const addresses = [['http://127.0.0.1:8080', service.sandbox.base_url] as const, ...urls]
  return addresses.reduce((all, [from, to]) => all.replaceAll(from, to), blocks.join('\n'))
}

test('docs/go-live.md is one script that goes live on the twins', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-go-live-'))
  cleanUp(() => rm(folder, { recursive: true, force: true }))
  await symlink(service.dataDir, join(folder, 'data'))
  const main = JSON.stringify(join(REPOSITORY_ROOT, 'src/main.js'))
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ scripts: { quittance: `exec node ${main}` } }),
  )
  const { PATH = '', HOME = '' } = process.env
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', await script()], {
    cwd: folder,
    env: { PATH, HOME, ...service.env },
  })
  expect(stdout).not.toContain('"error":')

  const [dispute] = (await client.ok('GET', `${PAYMENTS}/disputes`)).disputes
  await expect
    .poll(async () => (await client.ok('GET', `${PAYMENTS}/disputes/${dispute.id}`)).dispute.state)
    .toBe('won')
  const live = await liveClient(service)
  expect(await live.orders('reference_number = "live-1"')).toMatchObject([
    { paid_total: '0.00', state: 'refunded', refunded_total: '150.50' },
  ])
  expect(await client.orders('reference_number = "adyen-1"')).toMatchObject([
    { paid_total: '100.50', refunded_total: '50.00' },
  ])
  const byAirwallex = await client.orders('reference_number = "airwallex-*"')
  expect(byAirwallex.map((order) => [order.reference_number, order.paid_total])).toEqual([
    ['airwallex-wallet_a_pay', '88.00'],
    ['airwallex-wallet_b', '88.00'],
    ['airwallex-fps', '88.00'],
    ['airwallex-card', '100.50'],
  ])
  expect(await live.orders('reference_number = "airwallex-live"')).toMatchObject([
    { paid_total: '0.00', state: 'refunded', refunded_total: '88.00' },
  ])
})
