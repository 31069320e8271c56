import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkBoundaries, incompleteModules, thrownRefusals } from './check-modules.ts'

test('an import that points up, a circle of folders and an ambient store are refused', async () => {
  const root = mkdtempSync(join(tmpdir(), 'check-modules-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const plant = (path: string, source: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), source)
  }
  plant('src/modules/cards/model/card.ts', "export { limit } from '../limits/limit.ts'\n")
  plant('src/modules/cards/limits/limit.ts', "export { edit as limit } from '../cards/edit.ts'\n")
  plant(
    'src/modules/cards/cards/edit.ts',
    "import type { ended } from '../limits/ended.ts'\nexport const edit: typeof ended = 1\n",
  )
  plant(
    'src/modules/cards/limits/ended.ts',
    "import { AsyncLocalStorage } from 'node:async_hooks'\nexport const ended = new AsyncLocalStorage()\n",
  )
  const { problems } = await checkBoundaries(root)
  const card = 'src/modules/cards/model/card.ts → src/modules/cards/limits/limit.ts'
  expect(problems).toContain(`model-is-the-ground-floor: ${card}`)
  expect(problems).toContain(`imports-point-down: ${card}`)
  expect(problems).toContain('no-circle-of-folders: src/modules/cards: cards → limits → cards')
  expect(problems).toContain(
    'decisions-get-everything-as-an-argument: src/modules/cards/limits/ended.ts → async_hooks',
  )
})

test('a module needs a README.md and an index.ts of its own', () => {
  const paths = [
    'src/modules/orders/README.md',
    'src/modules/orders/index.ts',
    'src/modules/cards/limits/README.md',
    'src/modules/cards/limits/index.ts',
  ]
  expect(incompleteModules(paths)).toEqual([
    'src/modules/cards: README.md is missing',
    'src/modules/cards: index.ts is missing',
  ])
})

test('a decision throws no refusal', () => {
  const source =
    "if (isPaid) throw errors.order_not_payable()\n// Callers throw it.\nthrow new Error('no order')\n"
  const refusals = ['decide-pay.ts', 'model/order.ts', 'model/order.states.ts', 'pay.ts'].flatMap((file) =>
    thrownRefusals(`src/modules/payments/${file}`, source),
  )
  expect(refusals).toEqual([
    'decisions-return-their-refusals: src/modules/payments/decide-pay.ts:1',
    'decisions-return-their-refusals: src/modules/payments/model/order.ts:1',
    'decisions-return-their-refusals: src/modules/payments/model/order.states.ts:1',
  ])
})
