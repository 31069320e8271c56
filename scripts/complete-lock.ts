/**
 * Completes package-lock.json after `npm install`. npm leaves packages for other platforms out of the
 * lock when the registry at hand does not hold them, and `npm ci` then refuses the lock. Here every
 * optional dependency that is missing gets its entry: version, platform, and that it is optional.
 */
import { readFileSync, writeFileSync } from 'node:fs'

interface LockEntry {
  version?: string
  optionalDependencies?: Record<string, string>
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

const FILE = 'package-lock.json'
const OS = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  windows: 'win32',
  freebsd: 'freebsd',
  android: 'android',
  openharmony: 'openharmony',
}
const CPU = {
  x64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
}
const LIBC = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

const lock = JSON.parse(readFileSync(FILE, 'utf8')) as { packages: Record<string, LockEntry> }
for (const [path, { optionalDependencies, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    const isThere = [`node_modules/${name}`, `${path}/node_modules/${name}`].some(
      (key) => key in lock.packages,
    )
    if (!isThere) lock.packages[`node_modules/${name}`] = entryOf(name, version, dev)
  }
}
const [root, ...others] = Object.entries(lock.packages)
if (root === undefined) throw new Error(`${FILE} is empty`)
lock.packages = Object.fromEntries([root, ...others.toSorted(([a], [b]) => (a < b ? -1 : 1))])
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)

function entryOf(name: string, version: string, dev: boolean | undefined): LockEntry {
  const [os, cpu, libc] = [wordIn(name, OS), wordIn(name, CPU), wordIn(name, LIBC)]
  return {
    version,
    ...(cpu !== undefined && { cpu: [cpu] }),
    ...(dev === true && { dev }),
    optional: true,
    ...(os !== undefined && { os: [os] }),
    ...(os === 'linux' && libc !== undefined && { libc: [libc] }),
  }
}

/** Platform words stand between hyphens in the names of platform packages. */
function wordIn(name: string, words: Readonly<Record<string, string>>): string | undefined {
  const parts = name.split(/[-_/]/)
  return Object.entries(words).find(([word]) => parts.includes(word))?.[1]
}
