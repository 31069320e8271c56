import { expect, test } from 'vitest'
import { incompleteModules, thrownRefusals } from './check-modules.ts'

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
