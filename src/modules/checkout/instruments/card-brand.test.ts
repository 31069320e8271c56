import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { brandOf } from '#modules/customers'
import { wordsOf } from '../words/all-words.ts'
import { acceptedBrands, brandMark, brandName } from './card-brand.ts'

test('the page’s script knows the brand of a number as the service does', () => {
  const script = readFileSync(new URL('../assets/checkout.js', import.meta.url), 'utf8')
  const brands = [...script.matchAll(/\['(\w+)', \/(\^.+)\/\]/g)].map(([, brand = '', pattern = '']) => ({
    brand,
    pattern: new RegExp(pattern),
  }))
  expect(brands).toHaveLength(7)
  for (let first4 = 0; first4 < 10_000; first4++) {
    for (const end of ['00', '99']) {
      const first6 = String(first4).padStart(4, '0') + end
      const found = brands.find(({ pattern }) => pattern.test(first6))?.brand ?? 'unknown'
      expect([first6, found]).toEqual([first6, brandOf(first6)])
    }
  }
  const accepted = acceptedBrands(wordsOf('en')).text
  for (const { brand } of brands) {
    expect(brandMark(brand).text).toContain(`data-brand="${brand}"`)
    expect(accepted).toContain(`aria-label="${brandName(brand, wordsOf('en'))}"`)
  }
})

test('a brand that nobody knows has no badge and the name of a card', () => {
  expect(brandMark('unknown').text).toContain('data-brand=""')
  expect(brandName('unknown', wordsOf('en'))).toBe('Card')
})
