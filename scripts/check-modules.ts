/** Checks the boundaries in .dependency-cruiser.json and the size of files and folders under src. */
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { cruise, type ICruiseOptions, type IReporterOutput } from 'dependency-cruiser'

const MAX_FILES_PER_FOLDER = 12
const MAX_LINES = 400
const MAX_LINES_OF_TEST = 500
/** dependency-cruiser exits with 0 even if it could parse nothing, so the check also needs this many modules. */
const MIN_MODULES = 40

export interface SourceFile {
  /** Relative to the repository, such as `src/modules/payments/index.ts`. */
  readonly path: string
  readonly lines: number
}

export function structureProblems(files: readonly SourceFile[]): string[] {
  return [...longFiles(files), ...fullFolders(files), ...incompleteModules(files)]
}

/** Only .ts files have a limit. The generated filter-parser.js has none. */
function longFiles(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, lines }) => {
    if (!path.endsWith('.ts')) return []
    const max = path.endsWith('.test.ts') ? MAX_LINES_OF_TEST : MAX_LINES
    return lines > max ? [`${path}: ${lines} lines, at most ${max} are allowed`] : []
  })
}

/** Counts tests as files, and leaves sub-folders out. Translations are data, a file for each language. */
function fullFolders(files: readonly SourceFile[]): string[] {
  const limited = files.filter(
    ({ path }) => /^src\/(modules|platform)\/[^/]+\//.test(path) && !path.endsWith('.json'),
  )
  const folders = Map.groupBy(limited, ({ path }) => dirname(path))
  return [...folders].flatMap(([folder, { length }]) =>
    length > MAX_FILES_PER_FOLDER
      ? [`${folder}: ${length} files, at most ${MAX_FILES_PER_FOLDER} are allowed`]
      : [],
  )
}

function incompleteModules(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const modules = new Set([...paths].flatMap((path) => /^src\/modules\/[^/]+(?=\/)/.exec(path) ?? []))
  return [...modules].flatMap((module) =>
    ['README.md', 'index.ts']
      .filter((name) => !paths.has(`${module}/${name}`))
      .map((name) => `${module}: ${name} is missing`),
  )
}

function readSourceFiles(): SourceFile[] {
  return globSync('src/**', { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
    .toSorted()
    .map((path) => ({ path, lines: readFileSync(path, 'utf8').trimEnd().split('\n').length }))
}

interface Cruise {
  readonly modules: readonly {
    readonly source: string
    readonly dependencies: readonly { readonly module: string; readonly couldNotResolve: boolean }[]
  }[]
  readonly summary: {
    readonly totalCruised: number
    readonly violations: readonly {
      readonly from: string
      readonly to: string
      readonly rule: { readonly name: string }
    }[]
  }
}

async function checkBoundaries(): Promise<{ problems: string[]; modules: number }> {
  const { options, ...ruleSet } = JSON.parse(readFileSync('.dependency-cruiser.json', 'utf8')) as {
    options: ICruiseOptions
  }
  const result: IReporterOutput = await cruise(['src'], {
    ...options,
    ruleSet,
    validate: true,
    outputType: 'json',
  })
  const { modules, summary } = JSON.parse(result.output as string) as Cruise
  const unresolved = modules.flatMap((module) =>
    module.dependencies
      .filter((dependency) => dependency.couldNotResolve)
      .map((dependency) => `${module.source}: cannot resolve ${dependency.module}`),
  )
  const violations = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
  const problems = [...violations, ...unresolved]
  if (summary.totalCruised < MIN_MODULES) {
    problems.push(`dependency-cruiser read ${summary.totalCruised} modules, at least ${MIN_MODULES} exist`)
  }
  return { problems, modules: summary.totalCruised }
}

if (import.meta.main) {
  const { problems: boundaryProblems, modules } = await checkBoundaries()
  const files = readSourceFiles()
  const problems = [...boundaryProblems, ...structureProblems(files)]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
  console.log(`module boundaries hold over ${modules} modules, size limits over ${files.length} files`)
}
