import { expect, test } from 'vitest'
import { countColumns, countConstants, importsUp, longestFiles } from './measure.ts'

test('an import points up if its target is of a higher floor of the same module', () => {
  const from = 'src/modules/cards/storage/card.repository.ts'
  const up = { from, to: 'src/modules/cards/decisions/decide-authorization.ts' }
  const down = { from, to: 'src/modules/cards/model/card.ts' }
  const elsewhere = { from, to: 'src/modules/wallets/api/routes.ts' }
  expect(importsUp([up, down, elsewhere])).toEqual([up])
})

test('a decision may import what is pure, and nothing that touches the database through others', () => {
  const from = 'src/modules/plans/changes/decide-plan-change.ts'
  const toPure = { from, to: 'src/modules/plans/amounts/prorate.ts' }
  const toImpure = { from, to: 'src/modules/plans/amounts/read-lines.ts' }
  const through = { from: toImpure.to, to: 'src/modules/plans/amounts/find-lines.ts' }
  const toStorage = { from: through.to, to: 'src/modules/plans/storage/line.repository.ts' }
  const ofKernel = { from: toPure.to, to: 'src/kernel/money' }
  expect(importsUp([toPure, toImpure, through, toStorage, ofKernel])).toEqual([toImpure])
})

test('the interface to acquirers is part of the model', () => {
  const to = 'src/modules/acquirers/port/adapter.ts'
  expect(importsUp([{ from: 'src/modules/acquirers/model/account.ts', to }])).toEqual([])
})

test('a constant has a reason if a comment stands above or beside it', () => {
  const text = `/** As long as a lease. */
const LEASE_MS = 5_000
const TRIES = 3 // more never helped
export const MAX = 10
const NAME = 'of no number'`
  expect(countConstants(text)).toEqual({ all: 3, explained: 2 })
})

test('a column has a meaning if the last cell of its row has one', () => {
  const page = `| Column | Type | Null | Default | Meaning |
|---|---|---|---|---|
| \`id\` | text |  |  |  |
| \`due_at\` | timestamp |  |  | When the job takes it. |`
  expect(countColumns(page)).toEqual({ all: 2, explained: 1 })
})

test('test files are listed by the time of their tests, and a test that was left out takes none', () => {
  const report = {
    testResults: [
      { name: 'short.test.ts', assertionResults: [{ duration: 900 }, { duration: null }, {}] },
      { name: 'long.test.ts', assertionResults: [{ duration: 600 }, { duration: 650 }] },
    ],
  }
  expect(longestFiles(report)).toEqual([
    ['long.test.ts', 1.25],
    ['short.test.ts', 0.9],
  ])
})
