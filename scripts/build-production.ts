/**
 * `npm run build:production -- DIRECTORY` makes a directory that holds what a production process needs and nothing else: the
 * bundled program, its sources without tests, the migrations, the built console, the production packages. It needs Node 26 and a
 * PostgreSQL of its own. The image's Dockerfile and an installation under systemd both start from it.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBundled } from '../src/bundle.js'
import { pruneFonts } from './unused-package-files.js'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly imports: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly workspaces: readonly string[]
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SCRIPTS = ['start', 'quittance', 'simulator']
const COPIED = [
  'LICENSE',
  'README.md',
  'migrations',
  'src',
  'dist',
  'web/console/dist',
  'deploy/container',
  'docs',
  'sdk/README.md',
  'cli/README.md',
]
const LEFT_OUT = /\.test\.ts$|\/testing$|\/sources\.sha256$|\/dist\/sources\.json$/

/**
 * Never loaded: Node runs no TypeScript inside node_modules. The viewers of packages for browsers, their tests, and a package
 * manager that pdfkit publishes by accident are 12 MB.
 */
const PRUNED = [
  '**/*.{ts,mts,cts,tsx,map,flow}',
  '**/{README,CHANGELOG,HISTORY,CONTRIBUTING,MIGRATION}*.{md,markdown}',
  '*/{test,tests,__tests__,example,examples,benchmark,benchmarks,.github,.yarn}',
  '@*/*/{test,tests,__tests__,example,examples,benchmark,benchmarks,.github,.yarn}',
  'pdfkit/js/pdfkit.{browser,old,standalone}*',
  'fontkit/dist/browser*',
]

const target = resolve(process.argv[2] ?? fail('Name a directory: npm run build:production -- DIRECTORY'))
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target} is not empty.`)
if (!existsSync(join(ROOT, 'web/console/dist/index.html'))) fail('Run "npm run build:console" first.')
if (!isBundled()) fail('Run "npm run build:program" first.')

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
installPackages()
prunePackages()
pruneFonts(join(target, 'node_modules'))
for (const path of COPIED) copy(path)
writeManifest()
console.log(`Quittance ${manifest.version} is in ${target}. Start it there: node src/main.js --help`)

function installPackages(): void {
  const manifests = ['.', ...manifest.workspaces].map((folder) => join(folder, 'package.json'))
  for (const path of [...manifests, 'package-lock.json']) copy(path)
  const flags = ['--omit=dev', '--omit=optional', '--ignore-scripts', '--workspaces=false', '--no-audit']
  execFileSync('npm', ['ci', ...flags], { cwd: target, stdio: 'inherit' })
  for (const folder of manifest.workspaces) rmSync(join(target, folder), { recursive: true })
  rmSync(join(target, 'package-lock.json'))
}

function prunePackages(): void {
  const packages = join(target, 'node_modules')
  for (const path of globSync(PRUNED, { cwd: packages })) {
    rmSync(join(packages, path), { recursive: true, force: true })
  }
}

function writeManifest(): void {
  const { name, version, license, imports, scripts, dependencies } = manifest
  const kept = Object.fromEntries(SCRIPTS.map((script) => [script, scripts[script]]))
  const content = {
    name,
    version,
    private: true,
    license,
    type: 'module',
    imports,
    scripts: kept,
    dependencies,
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
}

function copy(path: string): void {
  mkdirSync(join(target, dirname(path)), { recursive: true })
  cpSync(join(ROOT, path), join(target, path), {
    recursive: true,
    filter: (source) => !LEFT_OUT.test(source),
  })
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
