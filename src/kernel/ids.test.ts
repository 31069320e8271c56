import { expect, test } from 'vitest'
import { realNowMs } from './clock.ts'
import { derivedId, isDerivedId, msOfId, newId } from './ids.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Decodes the UUID of a TypeID by the arithmetic of the specification. */
function uuidOf(id: string): bigint {
  const suffix = id.slice(id.lastIndexOf('_') + 1)
  return [...suffix].reduce((value, letter) => value * 32n + BigInt(ALPHABET.indexOf(letter)), 0n)
}

// Proves reference/conventions#names-of-identifiers.
test('an id is its prefix and a UUIDv7 as 26 characters', () => {
  const before = realNowMs()
  for (let i = 0; i < 1000; i++) {
    const id = newId('ord')
    expect(id).toMatch(/^ord_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
    const uuid = uuidOf(id)
    expect(uuid < 1n << 128n).toBe(true)
    expect((uuid >> 76n) & 0xfn).toBe(7n)
    expect((uuid >> 62n) & 3n).toBe(2n)
    const ms = Number(uuid >> 80n)
    expect(ms).toBeGreaterThanOrEqual(before)
    expect(ms).toBeLessThanOrEqual(realNowMs() + 1000)
  }
})

test('the ids of one process strictly increase as text, even within one millisecond', () => {
  let last = ''
  for (let i = 0; i < 50_000; i++) {
    const id = newId('txn')
    if (id <= last) throw new Error(`${id} follows ${last}`)
    last = id
  }
})

test('the random parts of ids differ', () => {
  const tails = new Set(Array.from({ length: 20_000 }, () => uuidOf(newId('x')) & ((1n << 62n) - 1n)))
  expect(tails.size).toBe(20_000)
})

test('a derived id is a UUIDv8 of its time and its source, the same each time', () => {
  const id = derivedId('ord', 1_795_477_494_084, 'plan 1')
  expect(derivedId('ord', 1_795_477_494_084, 'plan 1')).toBe(id)
  expect(derivedId('ord', 1_795_477_494_084, 'plan 2')).not.toBe(id)
  const uuid = uuidOf(id)
  expect(uuid < 1n << 128n).toBe(true)
  expect((uuid >> 76n) & 0xfn).toBe(8n)
  expect((uuid >> 62n) & 3n).toBe(2n)
  expect(msOfId(id)).toBe(1_795_477_494_084)
  expect([isDerivedId(id), isDerivedId(newId('ord'))]).toEqual([true, false])
})
