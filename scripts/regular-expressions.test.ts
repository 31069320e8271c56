import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const RULE = 'regular-expressions/linear'
const PLANTED = [
  String.raw`/[\d -]+$/`,
  String.raw`/\s+:/`,
  String.raw`/^(a+)+$/`,
  String.raw`/^[^\s@]+@[^\s@]+\.[^\s@]+$/`,
]
const LINEAR = [String.raw`/(?<![\d -])[\d -]+$/`, String.raw`/^\d+$/`, String.raw`/"\s+:/`]

/** Runs the rule alone, because the types of the repository take the linter minutes on a busy machine. */
function lint(expressions: readonly string[]): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const rule = { jsPlugins: [resolve('scripts/lint/regular-expressions.js')], rules: { [RULE]: 'error' } }
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(rule))
  writeFileSync(
    join(folder, 'expressions.ts'),
    expressions.map((text, index) => `export const E${index} = ${text}\n`).join(''),
  )
  const linter = resolve('node_modules/.bin/oxlint')
  const { status, stdout } = spawnSync(linter, ['-f', 'unix'], { cwd: folder, encoding: 'utf8' })
  return { status, output: stdout }
}

// Proves reference/logs#cost.
test('the linter refuses an expression that takes the square of a run of characters, and takes a linear one', () => {
  const refused = lint(PLANTED)
  expect(refused.status).toBe(1)
  expect(refused.output.match(/regular-expressions\(linear\)/g)).toHaveLength(PLANTED.length)
  expect(lint(LINEAR)).toMatchObject({ status: 0 })
})

test('the rule holds for the service, the SDK and the command line', () => {
  const { overrides } = JSON.parse(readFileSync('.oxlintrc.json', 'utf8')) as {
    overrides: { files: string[]; rules: Record<string, unknown> }[]
  }
  expect(overrides.filter(({ rules }) => rules[RULE] === 'error').flatMap(({ files }) => files)).toEqual([
    'src/**',
    'sdk/src/**',
    'cli/src/**',
  ])
})
