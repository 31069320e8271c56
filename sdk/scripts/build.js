// @ts-check
/**
 * Compiles the SDK into `sdk/dist`, so that `import 'quittance'` works in a clone. With `--optional` a failure is reported and
 * the exit code stays 0, so that `npm ci` does not fail for it.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../tsconfig.build.json', import.meta.url))
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const { status, stdout, error } = spawnSync(process.execPath, [compiler, '--project', project], {
  encoding: 'utf8',
})
if (status !== 0) {
  process.stderr.write(`The SDK was not built: ${error?.message ?? stdout}\n`)
  if (!process.argv.includes('--optional')) process.exitCode = 1
}
