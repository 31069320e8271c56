import { expect, test } from 'vitest'
import { canShow } from '#platform/documents/testing/can-show'
import { INVOICE_WORDS, invoiceWords } from './invoice-words.ts'

// Proves reference/billing-documents#languages.
test.each([
  ['zh-HK', 'zh-Hant', 'zh-Hant'],
  ['zh', 'zh-Hans', 'zh-Hans'],
  ['yue', 'zh-Hant', 'zh-Hant'],
  ['de-CH', 'de', 'de-CH'],
  ['en-US', 'en', 'en-US'],
  ['in', 'id', 'in'],
  ['fi', 'en', 'en'],
])('readers of %s get words in %s, with dates and amounts of %s', (tag, language, locale) => {
  expect(invoiceWords(tag)).toMatchObject({ language, locale })
})

test('every language has every text, with the same places, in fonts that have its characters', () => {
  const english = textsOf(invoiceWords('en').words)
  expect(INVOICE_WORDS.size).toBeGreaterThanOrEqual(16)
  for (const [language, words] of INVOICE_WORDS) {
    const texts = textsOf(words)
    expect([...texts.keys()], language).toEqual([...english.keys()])
    for (const [name, text] of texts) {
      expect(text, `${language} ${name}`).not.toBe('')
      expect(placesIn(text), `${language} ${name}`).toEqual(placesIn(english.get(name) ?? ''))
    }
    expect(canShow([...texts.values()].join(' ')), language).toBe(true)
  }
})

function textsOf(words: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? [...textsOf(value, `${prefix}${name}.`)]
        : [[`${prefix}${name}`, String(value)] as const],
    ),
  )
}

function placesIn(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()
}
