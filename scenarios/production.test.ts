import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from '#platform/embedded-postgres/free-port'
import { cleanUp } from '#platform/testing/clean-up'
import { createMigratedDatabase } from '#platform/testing/database'
import type { SandboxFile } from '../src/sandbox-file.ts'
import { expectWorkingInstallation } from './harness/check-installation.ts'
import { Client } from './harness/client.ts'
import {
  buildProgram,
  collectOutput,
  REPOSITORY_ROOT,
  stopProcess,
  waitUntilReady,
} from './harness/service.ts'

const run = promisify(execFile)

/** The image and the systemd units are made of this directory, so their test proves the same. */
const isPartOfImage = process.env['TEST_IMAGE'] === '1'

// Proves reference/operations#starting.
test.skipIf(isPartOfImage)(
  'the directory of an image or a systemd unit has all that a service needs: pages, fonts, commands',
  async () => {
    await Promise.all([buildProgram(), run(process.execPath, ['web/console/scripts/build.js'])])
    const directory = await mkdtemp(join(tmpdir(), 'quittance-production-'))
    cleanUp(() => rm(directory, { recursive: true }))
    // `npm ci` has brought the packages.
    await run(
      process.execPath,
      [join(REPOSITORY_ROOT, 'scripts/build-production.ts'), join(directory, 'app')],
      {
        env: { ...process.env, npm_config_prefer_offline: 'true', npm_config_fund: 'false' },
      },
    )
    const cwd = join(directory, 'app')
    const port = await freePort()
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      DATABASE_URL: await createMigratedDatabase(),
      ENCRYPTION_KEYS: randomBytes(32).toString('hex'),
      DATA_DIR: join(directory, 'data'),
      PORT: String(port),
    }
    const service = spawn(process.execPath, ['src/main.js', 'start'], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    cleanUp(() => stopProcess(service, 'SIGTERM'))
    const url = `http://127.0.0.1:${port}`
    await waitUntilReady(`${url}/readyz`, service, collectOutput(service))
    const sandbox = JSON.parse(await readFile(join(env.DATA_DIR, 'sandbox.json'), 'utf8')) as SandboxFile
    const client = new Client(sandbox)
    await expectWorkingInstallation(client)
    // The command fails if it finds a breach.
    const { stdout } = await run(process.execPath, ['src/main.js', 'verify'], { cwd, env })
    expect(stdout).not.toBe('')
  },
)
