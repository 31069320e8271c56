import { once } from 'node:events'
import { Client } from './client.ts'
import type { Sandbox, Service } from './service.ts'
import { spawnProgram } from './service.ts'

interface CommandResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command of `npm run quittance --` beside the running service. */
async function runCommand(service: Service, ...args: string[]): Promise<CommandResult> {
  const child = spawnProgram('src/main.js', args, service.env)
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const [exitCode] = (await once(child, 'close')) as [number]
  return { exitCode, stdout, stderr }
}

/** A second business beside the sandbox's. */
export async function createBusiness(service: Service, ...options: string[]): Promise<Sandbox> {
  const { exitCode, stdout, stderr } = await runCommand(
    service,
    'businesses',
    'create',
    '--name',
    'Another merchant',
    '--json',
    ...options,
  )
  if (exitCode !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Sandbox
}

/** A client of the live environment of the sandbox's business, with a key of its own. */
export async function liveClient(service: Service): Promise<Client> {
  const { exitCode, stdout, stderr } = await runCommand(
    service,
    'keys',
    'create',
    '--json',
    '--app',
    service.sandbox.app_id,
    '--env',
    'live',
    '--scope',
    'all',
  )
  if (exitCode !== 0) throw new Error(stderr)
  const { api_key } = JSON.parse(stdout) as { api_key: string }
  return new Client({ ...service.sandbox, api_key })
}
