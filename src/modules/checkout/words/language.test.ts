import { expect, test } from 'vitest'
import { wordsOf } from './all-words.ts'
import { chooseLanguage, LANGUAGES } from './language.ts'

// Proves reference/pages#languages.
test.each([
  [undefined, undefined, 'en'],
  [undefined, 'tlh, eo;q=0.8', 'en'],
  [undefined, 'fr-CA, de;q=0.8', 'fr'],
  [undefined, 'pt-BR', 'pt'],
  [undefined, 'in-ID', 'id'],
  [undefined, 'ar-EG,en;q=0.9', 'ar'],
  [undefined, 'zh-HK,zh;q=0.9,en;q=0.8', 'zh-Hant'],
  [undefined, 'zh-CN,zh;q=0.9', 'zh-Hans'],
  [undefined, 'en;q=0.5, zh-Hant-TW;q=0.9', 'zh-Hant'],
  [undefined, 'zh;q=0, en;q=0.1', 'en'],
  ['zh-Hans', 'en', 'zh-Hans'],
  ['zh_TW', 'en', 'zh-Hant'],
  ['xx', 'zh-MO', 'zh-Hant'],
])('lang=%s with Accept-Language %s is %s', (requested, accepted, expected) => {
  expect(chooseLanguage(requested, accepted)).toBe(expected)
})

test('every language has every text, with the same placeholders', () => {
  const english = sentencesOf(wordsOf('en'))
  for (const language of LANGUAGES) {
    const sentences = sentencesOf(wordsOf(language))
    expect([...sentences.keys()]).toEqual([...english.keys()])
    for (const [name, sentence] of sentences) {
      expect(sentence, name).not.toBe('')
      expect(placesIn(sentence), `${language} ${name}`).toEqual(placesIn(english.get(name) ?? ''))
    }
  }
})

function sentencesOf(words: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? [...sentencesOf(value, `${prefix}${name}.`)]
        : [[`${prefix}${name}`, String(value)] as const],
    ),
  )
}

function placesIn(sentence: string): string[] {
  return [...sentence.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()
}
