import { createHash } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compress, decompress } from './compression.ts'
import { DICTIONARY } from './dictionary.ts'

const PAYMENT = Buffer.from(
  '{"order":{"source":"api","type":"one_off","number":"ord_01kanq3x5kf0vsd2pjtwyt7cyr","reference_number":"order-1","due_date":null,"initial_total":12.50,"initial_tips":0.00,"subtotal":12.50,"paid_total":"0.00","unpaid_total":"12.50","currency":"HKD","customer_uuid":null}}',
)

test('what was compressed is read as it was, with the dictionary and from before it', () => {
  const empty = Buffer.alloc(0)
  for (const text of [PAYMENT, empty, Buffer.from('x'.repeat(100_000))]) {
    expect(decompress(compress(text))).toEqual(text)
    expect(decompress(zstdCompressSync(text))).toEqual(text)
  }
  expect(compress(PAYMENT).length).toBeLessThan(zstdCompressSync(PAYMENT).length / 2)
})

test('the dictionary is the one that stored bundles were compressed with', () => {
  expect(createHash('sha256').update(DICTIONARY).digest('hex')).toBe(
    'b8aa902d31e4e530a5d9aa43902bd362a22c18c96b9008febee074ae101d0bd4',
  )
})
