/**
 * Adds missing optional dependencies to package-lock.json, or to the lock file that is named, after `npm install`. npm omits
 * packages for other platforms that its registry does not have, and `npm ci` then refuses the lock file.
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

const FILE = process.argv[2] ?? 'package-lock.json'
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
    const isLocked = [`node_modules/${name}`, `${path}/node_modules/${name}`].some(
      (key) => key in lock.packages,
    )
    if (!isLocked) lock.packages[`node_modules/${name}`] = lockEntry(name, version, dev)
  }
}
const [root, ...others] = Object.entries(lock.packages)
if (root === undefined) throw new Error(`${FILE} is empty`)
lock.packages = Object.fromEntries([root, ...others.toSorted(([a], [b]) => (a < b ? -1 : 1))])
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)

function lockEntry(name: string, version: string, dev: boolean | undefined): LockEntry {
  const [os, cpu, libc] = [findPlatform(name, OS), findPlatform(name, CPU), findPlatform(name, LIBC)]
  return {
    version,
    ...(cpu !== undefined && { cpu: [cpu] }),
    ...(dev === true && { dev }),
    optional: true,
    ...(os !== undefined && { os: [os] }),
    ...(os === 'linux' && libc !== undefined && { libc: [libc] }),
  }
}

function findPlatform(name: string, platforms: Readonly<Record<string, string>>): string | undefined {
  const parts = name.split(/[-_/]/)
  return Object.entries(platforms).find(([word]) => parts.includes(word))?.[1]
}
