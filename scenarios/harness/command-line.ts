import { once } from 'node:events'
import { Client } from './client.ts'
import type { Sandbox, Service } from './service.ts'
import { spawnProgram } from './service.ts'

/** Runs a command of `npm run quittance --` beside the running service; answers the one JSON object that it prints. */
export async function runCommand<Printed>(service: Service, args: readonly string[]): Promise<Printed> {
  const child = spawnProgram('src/main.js', [...args, '--json'], service.env)
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const [exitCode] = (await once(child, 'close')) as [number]
  if (exitCode !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Printed
}

/** A second business beside the sandbox's. */
export function createBusiness(service: Service, ...options: string[]): Promise<Sandbox> {
  return runCommand(service, ['businesses', 'create', '--name', 'Another merchant', ...options])
}

/** A client of the live environment of the sandbox's business, with a key of its own. */
export async function liveClient(service: Service): Promise<Client> {
  const { sandbox } = service
  const args = ['keys', 'create', '--app', sandbox.app_id, '--env', 'live', '--scope', 'all']
  const { api_key } = await runCommand<{ api_key: string }>(service, args)
  return new Client({ ...sandbox, api_key })
}
