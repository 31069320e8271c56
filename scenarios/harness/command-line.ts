import { once } from 'node:events'
import { type EndedCommand, runInProcess } from '../../src/commands/testing/run-in-process.ts'
import type { SandboxFile } from '../../src/sandbox-file.ts'
import { Client } from './client.ts'
import { buildProgram, type Service, spawnProgram } from './service.ts'

/**
 * Runs a command in a process of its own. Only for tests of that process, for simulations, whose faults must not reach their own
 * process, and for benchmarks, whose garbage collection all modules on the heap would slow down.
 */
export async function runToEnd(env: Record<string, string>, args: readonly string[]): Promise<EndedCommand> {
  await buildProgram()
  const child = spawnProgram('src/main.js', args, env)
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const [exitCode] = (await once(child, 'close')) as [number]
  return { exitCode, stdout, stderr }
}

export async function runCommand<Printed>(
  service: Pick<Service, 'env'>,
  args: readonly string[],
  run = runInProcess,
): Promise<Printed> {
  const { exitCode, stdout, stderr } = await run(service.env, [...args, '--json'])
  if (exitCode !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Printed
}

export function createBusiness(
  service: Pick<Service, 'env'>,
  options: readonly string[] = [],
  run = runInProcess,
): Promise<SandboxFile> {
  return runCommand(service, ['businesses', 'create', '--name', 'Another merchant', ...options], run)
}

export async function liveClient(service: Service): Promise<Client> {
  const { sandbox } = service
  const args = ['keys', 'create', '--app', sandbox.app_id, '--env', 'live', '--scope', 'all']
  const { api_key } = await runCommand<{ api_key: string }>(service, args)
  return new Client({ ...sandbox, api_key })
}
