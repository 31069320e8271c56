import { expect, test } from 'vitest'
import { joinParts, joinSentences } from '../src/components/joined.ts'

test.each([
  ['en', 'It ends. It is kept.', 'card, cash'],
  ['zh-Hant', 'It ends.It is kept.', 'card、cash'],
  ['zh-Hans', 'It ends.It is kept.', 'card、cash'],
])('in %s sentences and lists are joined as people write them', (language, sentences, parts) => {
  expect(joinSentences(language, ['It ends.', '', 'It is kept.'])).toBe(sentences)
  expect(joinParts(language, ['card', 'cash'])).toBe(parts)
})
