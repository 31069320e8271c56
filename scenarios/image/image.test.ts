import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '#platform/embedded-postgres/free-port'
import { cleanUp } from '#platform/testing/clean-up'
import { createMigratedDatabase } from '#platform/testing/database'
import { until } from '#platform/testing/until'
import type { SandboxFile } from '../../src/sandbox-file.ts'
import { Client } from '../harness/client.ts'
import { collectOutput, stopProcess, waitUntilReady } from '../harness/service.ts'
import { Image } from './image.ts'

const isSkipped = process.env['TEST_IMAGE'] !== '1'

// Proves reference/operations#starting.
test.skipIf(isSkipped)(
  'the image is built, starts, takes a payment, and its books hold (needs buildah, podman, debootstrap and TEST_IMAGE=1)',
  { timeout: 900_000 },
  async () => {
    const image = await Image.build()
    cleanUp(() => image.remove())
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
    const { uuid } = await client.createCustomer()
    const { token } = await client.bindCard(uuid, '4242424242424242')
    const { number } = await client.createOrder()
    const { data } = await client.pay(number, token)
    expect(data.transaction.success).toBe(true)
    // The command fails if it finds a breach.
    await container.run(settings, 'verify')
  },
)
