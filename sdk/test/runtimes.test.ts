import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { startScenario } from '../../scenarios/harness/scenario.ts'
import { programConfig } from './fixtures.ts'
import { installCommandLine, installedNodes, installPackage, installRuntimes } from './runtimes/install.ts'
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

/** The command line needs Node 22, and the system's may be older. */
const ofCommandLine = runtimes.filter(({ name }) => !/^Node (20|of the system)/.test(name))

test.runIf(all).each(ofCommandLine)(
  'the packed command line makes an event happen on $name',
  async ({ name, command }) => {
    const program = await commandLine()
    const flags = name === 'Deno' ? ['run', '--allow-all', '--no-remote'] : []
    const { base_url: url, api_key: key } = service.sandbox
    const { stdout } = await promisify(execFile)(
      command,
      [...flags, program, 'trigger', 'order.paid', '--json'],
      {
        cwd: folder,
        env: { ...process.env, QUITTANCE_URL: url, QUITTANCE_API_KEY: key },
        timeout: 60_000,
      },
    )
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'order.paid',
      order: expect.stringMatching(/^ord_/) as string,
    })
  },
)

let installed: Promise<string> | undefined
function commandLine(): Promise<string> {
  installed ??= installCommandLine(folder)
  return installed
}

test.runIf(all)('the packed package does all of its program in a Worker', async () => {
  const url = await startWorker(folder)
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(await programConfig(service)) })
  expect(JSON.parse(await response.text())).toHaveLength(PROOFS)
})
