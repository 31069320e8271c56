import { expect, test } from 'vitest'
import { follow } from '../src/follow.ts'

/** A list, newest first, in pages of two. */
function listOf(newestFirst: () => readonly string[]) {
  return async (cursor: string | undefined) => {
    const rows = newestFirst()
    const from = cursor === undefined ? 0 : Number(cursor)
    const page = rows.slice(from, from + 2)
    return { rows: page, nextCursor: from + 2 < rows.length ? String(from + 2) : null }
  }
}

async function followed(steps: readonly (readonly string[])[], failAt?: number): Promise<string[]> {
  const stop = new AbortController()
  const failures: unknown[] = []
  let step = -1
  let reads = 0
  const read = listOf(() => steps[Math.min(step, steps.length - 1)] ?? [])
  const rows = follow(
    async (cursor) => {
      if (cursor === undefined) step++
      if (step >= steps.length) stop.abort()
      if (failAt !== undefined && reads++ === failAt) throw new Error('cut')
      return read(cursor)
    },
    (id: string) => id,
    { intervalMs: 1, signal: stop.signal, onError: (error) => failures.push(error) },
  )
  const found: string[] = []
  for await (const row of rows) found.push(row)
  if (failAt !== undefined) expect(failures).toHaveLength(1)
  return found
}

test('new rows come once, oldest first, however many pages they fill', async () => {
  const steps = [
    ['b', 'a'],
    ['b', 'a'],
    ['g', 'f', 'e', 'd', 'c', 'b', 'a'],
    ['h', 'g', 'f', 'e', 'd', 'c', 'b', 'a'],
  ]
  expect(await followed(steps)).toEqual(['c', 'd', 'e', 'f', 'g', 'h'])
})

test('a list that was empty at first is followed from its first row', async () => {
  expect(await followed([[], ['c', 'b', 'a'], ['d', 'c', 'b', 'a']])).toEqual(['a', 'b', 'c', 'd'])
})

test('a row that was committed late, behind a newer one, is not missed', async () => {
  expect(await followed([['a'], ['c', 'a'], ['c', 'b', 'a']])).toEqual(['c', 'b'])
})

test('a failed read is reported and repeated', async () => {
  expect(await followed([['a'], ['b', 'a'], ['c', 'b', 'a']], 1)).toEqual(['b', 'c'])
})
