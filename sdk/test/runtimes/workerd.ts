import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { onTestFinished } from 'vitest'
import { freePort } from '../../../src/platform/embedded-postgres/free-port.ts'
import { collectOutput, stopProcess, waitUntilReady } from '../../../scenarios/harness/service.ts'
import { WORKERD } from './install.ts'

/** Bundles the Worker as merchants do, and serves it on loopback until the test is finished. */
export async function startWorker(folder: string): Promise<string> {
  const bundle = await rolldown({ input: join(folder, 'worker.js'), cwd: folder })
  await bundle.write({ file: join(folder, 'bundled-worker.js'), format: 'esm' })
  const port = await freePort()
  await writeFile(join(folder, 'worker.capnp'), configOf(port))
  const child = spawn(join(folder, 'node_modules', WORKERD.command), ['serve', 'worker.capnp'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => stopProcess(child, 'SIGTERM'))
  const url = `http://127.0.0.1:${port}/`
  await waitUntilReady(`${url}ready`, child, collectOutput(child))
  return url
}

/** Workers may call public addresses only, unless the configuration says otherwise. */
function configOf(port: number): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "bundled-worker.js")],
      compatibilityDate = "2026-01-01",
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`
}
