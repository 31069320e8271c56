import { expect, test } from 'vitest'
import { joinParts, joinSentences } from '../src/components/joined.ts'

test.each([
  ['en', ['It ends.', '', 'It is kept.'], 'It ends. It is kept.', 'card, cash'],
  ['zh-Hant', ['訂閱結束。', '', '資料保留。'], '訂閱結束。資料保留。', 'card、cash'],
  ['zh-Hans', ['无法付款。', 'It ends.', '请重试。'], '无法付款。It ends. 请重试。', 'card、cash'],
])('in %s sentences and lists are joined as people write them', (language, sentences, joined, parts) => {
  expect(joinSentences(language, sentences)).toBe(joined)
  expect(joinParts(language, ['card', 'cash'])).toBe(parts)
})
