import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Piece, placePieces } from './place-pieces.ts'

const PAGE = { top: 50, bottom: 250 }

test('a page ends where the next piece does not fit, and its gap and a repeated head count', () => {
  const rows = [1, 2, 3].map(() => ({ height: 80, gap: 10, head: 20 }))
  expect(placePieces(rows, 100, PAGE)).toEqual([
    { page: 0, y: 110 },
    { page: 1, y: 70 },
    { page: 1, y: 160 },
  ])
})

test('a head stays with its first row, and sums with the last row', () => {
  const pieces = [
    { height: 20, staysWithNext: true },
    { height: 30 },
    { height: 30, staysWithNext: true },
    { height: 20, staysWithNext: true },
    { height: 20 },
  ]
  expect(placePieces(pieces, 140, PAGE).map(({ page }) => page)).toEqual([0, 0, 1, 1, 1])
  expect(placePieces(pieces, 210, PAGE).map(({ page }) => page)).toEqual([1, 1, 1, 1, 1])
})

test('what stays together is torn where it is higher than a page, and only there', () => {
  const tall = Array.from({ length: 5 }, () => ({ height: 60, staysWithNext: true }))
  expect(placePieces(tall, 190, PAGE).map(({ page }) => page)).toEqual([0, 1, 1, 1, 2])
})

test('no piece crosses the end of a page or another piece, and all keep their order', () => {
  const pieces = fc.record({
    height: fc.integer({ min: 1, max: 150 }),
    gap: fc.integer({ min: 0, max: 30 }),
    head: fc.integer({ min: 0, max: 50 }),
    staysWithNext: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 30 }),
      fc.integer({ min: PAGE.top, max: PAGE.bottom }),
      (given: Piece[], from) => {
        let [page, end] = [0, from]
        placePieces(given, from, PAGE).forEach((place, index) => {
          const { height = 0, head = 0 } = given[index] ?? {}
          if (place.page > page) expect(place.y).toBe(PAGE.top + head)
          else expect(place.y).toBeGreaterThanOrEqual(end)
          expect(place.page - page).toBeLessThanOrEqual(1)
          expect(place.y + height).toBeLessThanOrEqual(PAGE.bottom)
          page = place.page
          end = place.y + height
        })
      },
    ),
  )
})
