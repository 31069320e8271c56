import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, expect, test } from 'vitest'
import { installPackage } from './runtimes/install.ts'

const run = promisify(execFile)
const SDK = fileURLToPath(new URL('..', import.meta.url))
const MAX_GZIP_BYTES = 15_000

const folder = await installPackage()
afterAll(() => rm(folder, { recursive: true, force: true }))

test('all of the package is under 15 kB of script, minified and compressed', async () => {
  await writeFile(join(folder, 'all.js'), "export * from 'quittance'\n")
  const bundle = await rolldown({ input: join(folder, 'all.js'), cwd: folder })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  const bytes = gzipSync(output[0].code, { level: 9 }).length
  expect(output).toHaveLength(1)
  expect(bytes).toBeGreaterThan(3_000)
  expect(bytes).toBeLessThan(MAX_GZIP_BYTES)
})

test('the package depends on nothing, and imports only its own files', async () => {
  const manifest = JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8')) as Record<string, unknown>
  expect(manifest['dependencies']).toBeUndefined()
  expect(manifest['peerDependencies']).toBeUndefined()
  const files = globSync('src/**/*.ts', { cwd: SDK })
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const text = readFileSync(join(SDK, file), 'utf8')
    for (const [, imported] of text.matchAll(/(?<!["/])\b(?:from|import)\s*\(?['"]([^'"]+)['"]/g)) {
      expect(imported, file).toMatch(/^\.\.?\/.+\.ts$/)
    }
    expect(text, file).not.toMatch(/\b(process|Buffer|require|__dirname)\b(?!')/)
  }
})

const PROGRAM = `
import { PaymentDeclinedError, Quittance, verifyWebhook } from 'quittance'

const quittance = new Quittance({ apiKey: 'qk_test_1', baseUrl: 'https://pay.example.com' })
const { order } = await quittance.orders.create({ reference_number: 'o', currency: 'HKD', initial_total: '1.50' })
const total: string = order.initial_total
// @ts-expect-error An amount is never a number.
await quittance.orders.create({ reference_number: 'o', currency: 'HKD', initial_total: 1.5 })
// @ts-expect-error A misspelt member.
await quittance.orders.create({ reference_number: 'o', curency: 'HKD' })
const { transaction } = await quittance.orders.pay(order.number, { type: 'Sales', payment_token: 'pmt_1' })
const amount: string = transaction.amount
for await (const plan of quittance.plans.list({ limit: 10 })) plan.credit.padStart(10)
const event = await verifyWebhook('', {}, 'whsec_')
if (event.type === 'order.paid' && !event.truncated) event.data.order.line_items?.[0]?.price.padStart(10)
// @ts-expect-error A truncated event has identifiers only.
if (event.type === 'order.paid' && event.truncated) event.data.order.state
if (event.type === 'card.linked' && !event.truncated) event.data.card.limits[0]?.limit_amount.padStart(10)
for await (const listed of quittance.events.list()) {
  if (listed.type !== 'plan.paused') continue
  const state: string | undefined = listed.data.plan?.state
  // @ts-expect-error The document of an old event may have been dropped.
  listed.data.plan.state
}
try {
  await quittance.transactions.refund('txn_1', { amount: '0.50' })
} catch (error) {
  if (error instanceof PaymentDeclinedError) console.log(error.declineCode, error.data.order?.number)
}
export { amount, total }
`

/** Every example of the README is a module. Those without a client of their own get one. */
function examples(): string[] {
  const readme = readFileSync(join(SDK, 'README.md'), 'utf8')
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) =>
    code.includes('new Quittance')
      ? code
      : `declare const quittance: import('quittance').Quittance\n${code}\nexport {}\n`,
  )
}

test.each([
  ['TypeScript 7', '../../node_modules/.bin/tsc'],
  ['TypeScript 5', '../node_modules/.bin/tsc'],
])(
  'a program and the examples of the README compile in %s',
  async (_name, compiler) => {
    const tsc = fileURLToPath(new URL(compiler, import.meta.url))
    const programs = [PROGRAM, ...examples()]
    expect(programs.length).toBeGreaterThan(5)
    const files = programs.map((_, index) => `program-${index}.ts`)
    for (const [index, text] of programs.entries()) await writeFile(join(folder, `program-${index}.ts`), text)
    for (const options of [
      { module: 'nodenext', moduleResolution: 'nodenext' },
      { module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: true },
    ]) {
      const lib = ['es2022', 'dom', 'esnext.disposable']
      const compilerOptions = { noEmit: true, strict: true, target: 'es2022', lib, types: [], ...options }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
      const { stdout } = await run(tsc, ['--project', folder]).catch((error: { stdout: string }) => error)
      expect(stdout).toBe('')
    }
  },
  300_000,
)
