/**
 * Prints the measures of the repository's form: at a commit and now, or only now. Or the twenty test files that take longest, by a
 * report that `QUITTANCE_TEST_RESULTS=report.json npm test` wrote.
 *
 *     npx node scripts/measure.ts [commit | report.json]
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize, relative } from 'node:path'
import { folderCircles, type Import } from './folder-circles.ts'

const KINDS = ['model', 'storage', 'decisions', 'use cases', 'api', 'tests'] as const
type Kind = (typeof KINDS)[number]
/** Which kinds a kind may import, by their order in `KINDS`. Use cases and the files beside the folders connect the others. */
const HAS_FLOOR: ReadonlySet<Kind> = new Set(['model', 'storage', 'decisions'])

type Measures = Map<string, number | string>

/** The kind of a file of a module by its path, and undefined for `module.ts` and other files beside the folders. */
export function kindOf(path: string): Kind | undefined {
  if (/\.test\.ts$|\/testing\//.test(path)) return 'tests'
  const [, folder, file] = /^src\/modules\/[^/]+\/(?:([^/]+)\/.*?)?([^/]+)$/.exec(path) ?? []
  if (file === undefined || folder === undefined) return undefined
  if (folder === 'model' || folder === 'storage' || folder === 'api') return folder
  // The interface to acquirers, on which their models stand, too (`the-port-knows-no-acquirer`).
  if (folder === 'port') return 'model'
  return /^decide-|\.states\.ts$/.test(file) ? 'decisions' : 'use cases'
}

/**
 * Imports within a module whose target is of a higher floor than their file. Prices and dates are computed by pure functions beside
 * the use cases, so what touches no database counts as a decision, whatever its name.
 */
export function importsUp(imports: readonly Import[]): Import[] {
  const impure = impureFiles(imports)
  return imports.filter(({ from, to }) => {
    const lower = kindOf(from)
    const upper = kindOf(to) === 'use cases' && !impure.has(to) ? 'decisions' : kindOf(to)
    if (lower === undefined || upper === undefined || moduleOf(from) !== moduleOf(to)) return false
    return HAS_FLOOR.has(lower) && upper !== 'tests' && KINDS.indexOf(upper) > KINDS.indexOf(lower)
  })
}

/** What no decision may import (`decisions-are-pure`), and what hands it out. */
const IMPURE =
  /^src\/(platform\/(postgres|jobs|events)\/|modules\/[^/]+\/(storage\/|(context|dependencies)\.ts$))/

/** The files of modules that touch the database, themselves or through others of their module. */
function impureFiles(imports: readonly Import[]): ReadonlySet<string> {
  const importers = Map.groupBy(imports, ({ to }) => to)
  const impure = new Set<string>()
  const visit = ({ from }: Import): void => {
    if (impure.has(from)) return
    impure.add(from)
    for (const importer of importers.get(from) ?? [])
      if (moduleOf(importer.from) === moduleOf(from)) visit(importer)
  }
  imports.filter(({ to }) => IMPURE.test(to)).forEach(visit)
  return impure
}

/** How many constants of numbers a text has, and how many of them have a comment above or beside them. */
export function countConstants(text: string): { readonly all: number; readonly explained: number } {
  const lines = text.split('\n')
  const constants = lines.flatMap((line, index) =>
    /^(?:export )?const [A-Z][A-Z\d_]*(?:: [^=]+)? = -?[\d(]/.test(line) ? [index] : [],
  )
  const explained = constants.filter(
    (index) => /\/\//.test(lines[index] ?? '') || /\*\/$|^\s*\/\//.test(lines[index - 1] ?? ''),
  )
  return { all: constants.length, explained: explained.length }
}

/** How many columns a page of `docs/schema` lists, and how many of them have a meaning. */
export function countColumns(page: string): { readonly all: number; readonly explained: number } {
  const rows = page.split('\n').filter((line) => /^\| `\w+` \|/.test(line))
  return { all: rows.length, explained: rows.filter((row) => !/\|\s*\|$/.test(row)).length }
}

function moduleOf(path: string): string | undefined {
  return /^src\/modules\/([^/]+)\//.exec(path)?.[1]
}

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(/^(?:import|export|\}) .*?from '([.#][^']+)'/gm)].map(([, to = '']) => ({
    from: path,
    to: to.startsWith('#') ? to.replace('#', 'src/') : normalize(join(dirname(path), to)),
  }))
}

function measure(root: string): Measures {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const files = globSync('src/**/*.ts', { cwd: root }).toSorted()
  const imports = files.flatMap((path) => importsOf(path, read(path)))
  const ofModules = imports.filter(
    ({ from, to }) => moduleOf(from) !== undefined && moduleOf(from) === moduleOf(to),
  )
  const constants = files.filter((path) => kindOf(path) !== 'tests').map((path) => countConstants(read(path)))
  const columns = globSync('docs/schema/*.md', { cwd: root }).map((path) => countColumns(read(path)))
  const ofUnitLabel = files
    .filter((path) => kindOf(path) !== 'tests')
    .map(
      (path) =>
        read(path)
          .split('\n')
          .filter((line) => /unit_?label/i.test(line) && !/^\s*(?:\*|\/\/)/.test(line)).length,
    )
  const measures: Measures = new Map([
    ['imports within modules', ofModules.length],
    ['imports that point up', importsUp(imports).length],
    ['modules with a circle of folders', folderCircles(imports).length],
    ['constants of numbers', sum(constants.map(({ all }) => all))],
    ['  with a reason', sum(constants.map(({ explained }) => explained))],
    ['columns of tables', sum(columns.map(({ all }) => all))],
    ['  with a meaning', sum(columns.map(({ explained }) => explained))],
    ["lines of a product's unit_label", sum(ofUnitLabel)],
    ['  in files', ofUnitLabel.filter((lines) => lines > 0).length],
  ])
  for (const path of files) {
    const room = moduleOf(path) ?? path.split('/').slice(1, -1)[0] ?? 'src'
    const kind = moduleOf(path) === undefined ? undefined : (kindOf(path) ?? 'beside the folders')
    const name = `lines of ${room}${kind === undefined ? '' : `, ${kind}`}`
    measures.set(name, Number(measures.get(name) ?? 0) + read(path).split('\n').length - 1)
  }
  if (existsSync(join(root, 'node_modules'))) {
    measures.set('megabytes that npm ci installs', megabytesOf(root, ['--exclude=.cache', 'node_modules']))
    const added = globSync('node_modules/.cache/test-packages-*', { cwd: root })
    if (added.length > 0) measures.set('megabytes that npm test adds', megabytesOf(root, added))
  }
  return measures
}

function megabytesOf(root: string, paths: readonly string[]): number {
  const lines = execFileSync('du', ['-sk', ...paths], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
  return Math.round(sum(lines.map((line) => Number.parseInt(line, 10))) / 1024)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function measureCommit(commit: string): Measures {
  const folder = mkdtempSync(join(tmpdir(), 'measure-'))
  try {
    const archive = execFileSync('git', ['archive', commit, 'src', 'docs/schema'], {
      maxBuffer: 256 * 1024 * 1024,
    })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    return measure(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly duration?: number | null }[]
  }[]
}

/** The files of a report in vitest's format with the seconds of their tests, longest first. Imports are left out. */
export function longestFiles({ testResults }: TestReport): [file: string, seconds: number][] {
  return testResults
    .map(({ name, assertionResults }): [string, number] => [
      name,
      sum(assertionResults.map(({ duration }) => duration ?? 0)) / 1000,
    ])
    .toSorted(([, one], [, other]) => other - one)
}

function printLongest(report: string): void {
  const files = longestFiles(JSON.parse(readFileSync(report, 'utf8')) as TestReport)
  for (const [file, seconds] of files.slice(0, 20))
    console.log(`${seconds.toFixed(1).padStart(7)} s ${relative('.', file)}`)
}

function printMeasures(commit: string | undefined): void {
  const before = commit === undefined ? undefined : measureCommit(commit)
  const now = measure('.')
  const names = new Set([...now.keys(), ...(before?.keys() ?? [])])
  const last = (name: string) => String(now.get(name) ?? '–').padStart(8)
  const heads = before === undefined ? ['now'] : [commit ?? '', 'now']
  console.log(''.padEnd(44) + heads.map((head) => head.padStart(9)).join(''))
  for (const name of names) {
    const first = before === undefined ? '' : String(before.get(name) ?? '–').padStart(9)
    console.log(`${name.padEnd(44)}${first} ${last(name)}`)
  }
}

if (import.meta.main) {
  const [argument] = process.argv.slice(2)
  if (argument?.endsWith('.json') === true) printLongest(argument)
  else printMeasures(argument)
}
