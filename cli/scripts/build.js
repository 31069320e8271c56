import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const fromPackage = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

// The SDK is bundled from its sources, so that the command line never runs on an older build of it.
await build({
  input: fromPackage('src/main.ts'),
  platform: 'node',
  external: [/^node:/, 'commander', '@clack/prompts', 'cli-table3', 'open', /^@bomb\.sh\/tab/],
  resolve: { conditionNames: ['quittance-source', 'import', 'node'] },
  output: { file: fromPackage('dist/quittance.js'), format: 'esm', codeSplitting: false },
})
