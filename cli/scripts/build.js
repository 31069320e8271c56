import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const fromPackage = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** With `--optional` a failure is reported and the exit code stays 0, so that `npm ci` does not fail for it. */
const isOptional = process.argv.includes('--optional')

// The SDK is bundled from its sources, so that the command line never runs on an older build of it.
const built = build({
  input: fromPackage('src/main.ts'),
  platform: 'node',
  external: [/^node:/, 'commander', '@clack/prompts', 'cli-table3', 'open', /^@bomb\.sh\/tab/],
  resolve: { conditionNames: ['quittance-source', 'import', 'node'] },
  output: { file: fromPackage('dist/quittance.js'), format: 'esm', codeSplitting: false },
})

await built.catch((/** @type {unknown} */ error) => {
  if (!isOptional) throw error
  process.stderr.write(`The command line was not built: ${String(error)}\n`)
})
