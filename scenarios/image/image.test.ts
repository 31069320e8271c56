import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#platform/embedded-postgres/free-port'
import { cleanUp } from '#platform/testing/clean-up'
import { createMigratedDatabase } from '#platform/testing/database'
import { until } from '#platform/testing/until'
import type { SandboxFile } from '../../src/sandbox-file.ts'
import { expectWorkingInstallation } from '../harness/check-installation.ts'
import { Client } from '../harness/client.ts'
import { collectOutput, stopProcess, waitUntilReady } from '../harness/service.ts'
import { Image } from './image.ts'
import { Machine } from './machine.ts'

const isSkipped = process.env['TEST_IMAGE'] !== '1'
const BUILD_TIMEOUT_MS = 900_000

// Proves reference/operations#starting.
describe.skipIf(isSkipped)('(needs buildah, mmdebstrap, systemd-container, root and TEST_IMAGE=1)', () => {
  let image: Image
  beforeAll(async () => {
    image = await Image.build()
  }, BUILD_TIMEOUT_MS)
  afterAll(() => image.remove())

  test('the image is built, starts, takes a payment, and its books hold', async () => {
    const container = await image.startContainer()
    const dataDir = await mkdtemp(join(tmpdir(), 'quittance-image-data-'))
    cleanUp(() => rm(dataDir, { recursive: true }))
    await chmod(dataDir, 0o777)
    const port = await freePort()
    const settings = {
      DATABASE_URL: await createMigratedDatabase(),
      ENCRYPTION_KEYS: randomBytes(32).toString('hex'),
      HOST: '127.0.0.1',
      PORT: String(port),
    }
    const service = container.start(settings, dataDir)
    cleanUp(() => stopProcess(service, 'SIGTERM'))
    await waitUntilReady(`http://127.0.0.1:${port}/readyz`, service, collectOutput(service))
    const sandboxFile = join(dataDir, 'sandbox.json')
    await until(() => existsSync(sandboxFile))
    const client = new Client(JSON.parse(await readFile(sandboxFile, 'utf8')) as SandboxFile)
    await expectWorkingInstallation(client)
    // The command fails if it finds a breach.
    await container.run(settings, 'verify')
  })

  test('systemd starts the units, which take a payment and stop cleanly', async () => {
    const { root } = await image.startContainer()
    const [port, workerPort, simulatorPort] = [await freePort(), await freePort(), await freePort()]
    const databaseUrl = await createMigratedDatabase()
    const keys = randomBytes(32).toString('base64')
    const settings = {
      SIMULATOR_URL: `http://127.0.0.1:${simulatorPort}`,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      PORT: String(port),
    }
    const units = ['quittance-simulator', 'quittance@api', 'quittance@worker']
    const machine = new Machine(image.debian)
    await machine.install({
      app: join(root, 'app'),
      node: join(root, 'usr/local/bin/node'),
      units,
      files: {
        'database-url': databaseUrl,
        'encryption-keys': keys,
        'quittance.env': Object.entries(settings)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
        'worker.env': `WORKER_PORT=${workerPort}\n`,
      },
      simulatorPort,
    })
    const child = machine.start()
    cleanUp(() => machine.stop())
    for (const each of [port, workerPort]) {
      await waitUntilReady(`http://127.0.0.1:${each}/readyz`, child, () => '').catch(
        async (error: unknown) => {
          throw new Error(await machine.journal(), { cause: error })
        },
      )
    }
    const secrets = { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: keys, ...settings }
    const created = await machine.run(secrets, 'businesses', 'create', '--name', 'Shop', '--json')
    await expectWorkingInstallation(new Client(JSON.parse(created) as SandboxFile))
    await machine.run(secrets, 'verify')
    const journal = await machine.stop()
    for (const unit of units) expect(journal).toContain(`${unit}.service: Deactivated successfully.`)
  })
})
