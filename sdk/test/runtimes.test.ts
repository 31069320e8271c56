import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { startScenario } from '../../scenarios/harness/scenario.ts'
import { programConfig } from './fixtures.ts'
import { installedNodes, installPackage, installRuntimes } from './runtimes/install.ts'
import { startWorker } from './runtimes/workerd.ts'

const { service } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const folder = await installPackage()
afterAll(() => rm(folder, { recursive: true, force: true }))

const all = process.env['SDK_RUNTIMES'] === 'all'
const runtimes = [...installedNodes(), ...(all ? await installRuntimes(folder) : [])]
const PROOFS = 12

test.each(runtimes)('the packed package does all of its program on $name', async ({ command, args }) => {
  const config = JSON.stringify(await programConfig(service))
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: folder,
    env: { ...process.env, SDK_TEST_CONFIG: config },
    timeout: 60_000,
  })
  expect(JSON.parse(stdout)).toHaveLength(PROOFS)
})

test.runIf(all)('the packed package does all of its program in a Worker', async () => {
  const url = await startWorker(folder)
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(await programConfig(service)) })
  expect(JSON.parse(await response.text())).toHaveLength(PROOFS)
})
