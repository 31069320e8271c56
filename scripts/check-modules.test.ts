import { expect, test } from 'vitest'
import { incompleteModules } from './check-modules.ts'

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
