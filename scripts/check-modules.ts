/**
 * Checks the module boundaries of .dependency-cruiser.json. dependency-cruiser exits 0 when it could
 * parse nothing, so the number of modules it saw is checked as well.
 */
import { readFileSync } from 'node:fs'
import { cruise, type ICruiseOptions, type IReporterOutput } from 'dependency-cruiser'

const MIN_MODULES = 40
const { options, ...ruleSet } = JSON.parse(readFileSync('.dependency-cruiser.json', 'utf8')) as {
  options: ICruiseOptions
}

const result: IReporterOutput = await cruise(['src'], {
  ...options,
  ruleSet,
  validate: true,
  outputType: 'json',
})
const { modules, summary } = JSON.parse(result.output as string) as {
  modules: { source: string; dependencies: { module: string; couldNotResolve: boolean }[] }[]
  summary: {
    error: number
    totalCruised: number
    violations: { from: string; to: string; rule: { name: string } }[]
  }
}
const unresolved = modules.flatMap((module) =>
  module.dependencies
    .filter((to) => to.couldNotResolve)
    .map((to) => `${module.source}: cannot resolve ${to.module}`),
)
const violations = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
const problems = [...violations, ...unresolved]
if (summary.totalCruised < MIN_MODULES) problems.push(`only ${summary.totalCruised} modules were seen`)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`module boundaries hold over ${summary.totalCruised} modules`)
