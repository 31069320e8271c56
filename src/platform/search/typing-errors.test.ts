import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { correctionsOf, distance, fold, wordsToCorrect } from './typing-errors.ts'

const database = await createTestDatabase()
const { businessId } = await createTestBusiness(database)

test('names are folded by the service as by the database', async () => {
  const names = [
    'Zoë',
    'ÅNGSTRÖM',
    'Łukasz',
    'D’Arcy',
    "O'Neil",
    '黃小明',
    'ＦＵＬＬ',
    'Nguyễn',
    '김철수',
    'ÀÉÎ',
  ]
  const rows = await database.db.transact(businessId, (tx) =>
    tx.query<{ folded: string }>(
      sql`select quittance_fold(name) as folded from unnest(${names}::text[]) name`,
    ),
  )
  expect(rows.map(({ folded }) => folded)).toEqual(names.map(fold))
})

test.each([
  ['chan', 'chan', 0],
  ['chna', 'chan', 1],
  ['chn', 'chan', 1],
  ['chhan', 'chan', 1],
  ['chxn', 'chan', 1],
  ['nach', 'chan', 4],
  ['', 'chan', 4],
])('%j is %j with %i errors', (a, b, errors) => {
  const most = Math.max(a.length, b.length)
  expect(distance(a, b)).toBe(Math.min(errors, most))
  expect(distance(b, a)).toBe(distance(a, b))
})

test('words of four letters and more are corrected, not digits, and three of them at most', () => {
  expect(wordsToCorrect('chna tia.taimann88@mail.example extra')).toEqual(['chna', 'taimann', 'mail'])
})

test('every combination of corrections is tried, those with the fewest errors first', () => {
  const similar = [
    { typed: 'chna', word: 'chan' },
    { typed: 'chna', word: 'china' },
    { typed: 'wnog', word: 'wong' },
    { typed: 'wnog', word: 'wrong' },
    { typed: 'wnog', word: 'king' },
  ]
  expect(correctionsOf('chna wnog', similar)).toEqual([
    'chna wong',
    'chan wnog',
    'china wnog',
    'chan wong',
    'china wong',
  ])
})
