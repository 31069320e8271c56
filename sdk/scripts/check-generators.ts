/** Generates clients from openapi.json with the generators that merchants use, and compiles what they write. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { testPackages } from '../../src/platform/testing/test-packages.ts'
import { DESCRIPTION_FILE } from './describe.ts'

const run = promisify(execFile)

const SDK = fileURLToPath(new URL('..', import.meta.url))
const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))

const OTHERS = await testPackages()

interface Generator {
  readonly name: string
  readonly binary: string
  readonly args: readonly string[]
}

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    binary: join(SDK, 'node_modules/.bin/openapi-typescript'),
    args: [DESCRIPTION_FILE, '--output', 'openapi-typescript/api.ts'],
  },
  {
    name: '@hey-api/openapi-ts',
    binary: join(OTHERS, 'node_modules/.bin/openapi-ts'),
    args: ['--input', DESCRIPTION_FILE, '--output', 'hey-api'],
  },
  {
    name: 'orval',
    binary: join(OTHERS, 'node_modules/.bin/orval'),
    args: ['--input', DESCRIPTION_FILE, '--output', 'orval/api.ts', '--client', 'fetch'],
  },
]

const TSCONFIG = {
  compilerOptions: {
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    noEmit: true,
  },
}

const folder = await mkdtemp(join(tmpdir(), 'quittance-generators-'))
try {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  await Promise.all(GENERATORS.map(({ binary, args }) => run(binary, args, { cwd: folder })))
  await run(TSC, ['--project', folder])
  console.log(
    `${GENERATORS.map(({ name }) => name).join(', ')}: openapi.json generates, and the code compiles`,
  )
} catch (error) {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
  console.error(String(error), stdout, stderr)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
