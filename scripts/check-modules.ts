/**
 * Checks the boundaries in .dependency-cruiser.json, that imports within a module point down and its folders import each other in
 * no circle, that decisions return what they refuse, and that each module has a README.md and an index.ts.
 */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { cruise, type ICruiseOptions, type IReporterOutput } from 'dependency-cruiser'
import { folderCircles } from './folder-circles.ts'
import { importsUp } from './measure.ts'

/** dependency-cruiser exits with 0 even if it could parse nothing, so the check also needs this many modules. */
const MIN_MODULES = 40

/** `paths` are relative to the repository, such as `src/modules/payments/index.ts`. */
export function incompleteModules(paths: readonly string[]): string[] {
  const present = new Set(paths)
  const modules = new Set(paths.flatMap((path) => /^src\/modules\/[^/]+(?=\/)/.exec(path) ?? []))
  return [...modules].flatMap((module) =>
    ['README.md', 'index.ts']
      .filter((name) => !present.has(`${module}/${name}`))
      .map((name) => `${module}: ${name} is missing`),
  )
}

const DECISION = /^src\/modules\/.*(\/model\/[^/]+|\/decide-[^/]+|\.states)(?<!\.test)\.ts$/

/** A decision returns what it refuses (kernel/refusal). It throws only defects, as in `throw new Error`. */
export function thrownRefusals(path: string, source: string): string[] {
  if (!DECISION.test(path)) return []
  return source
    .split('\n')
    .flatMap((line, index) =>
      /^[^*/]*\bthrow (?!new )/.test(line) ? [`decisions-return-their-refusals: ${path}:${index + 1}`] : [],
    )
}

interface Cruise {
  readonly modules: readonly {
    readonly source: string
    readonly dependencies: readonly {
      readonly module: string
      readonly resolved: string
      readonly couldNotResolve: boolean
    }[]
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

/** @param root the folder that holds `src` */
export async function checkBoundaries(root = '.'): Promise<{ problems: string[]; modules: number }> {
  const { options, ...ruleSet } = JSON.parse(readFileSync('.dependency-cruiser.json', 'utf8')) as {
    options: ICruiseOptions
  }
  const result: IReporterOutput = await cruise(['src'], {
    ...options,
    baseDir: resolve(root),
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
  const imports = modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  )
  const circles = folderCircles(imports).map((circle) => `no-circle-of-folders: ${circle}`)
  const up = importsUp(imports).map(({ from, to }) => `imports-point-down: ${from} → ${to}`)
  const problems = [...violations, ...unresolved, ...circles, ...up]
  if (summary.totalCruised < MIN_MODULES) {
    problems.push(`dependency-cruiser read ${summary.totalCruised} modules, at least ${MIN_MODULES} exist`)
  }
  return { problems, modules: summary.totalCruised }
}

if (import.meta.main) {
  const { problems: boundaryProblems, modules } = await checkBoundaries()
  const files = globSync('src/modules/*/*').toSorted()
  const thrown = globSync('src/modules/**/*.ts').flatMap((path) =>
    thrownRefusals(path, readFileSync(path, 'utf8')),
  )
  const problems = [...boundaryProblems, ...incompleteModules(files), ...thrown]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
  console.log(`module boundaries hold over ${modules} modules`)
}
