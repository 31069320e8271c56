import { expect, test } from 'vitest'
import { joinParts, joinSentences, joinWords, withoutWideSpaces } from '../src/components/joined.ts'

test.each([
  ['en', ['It ends.', '', 'It is kept.'], 'It ends. It is kept.', 'card, cash'],
  ['zh-Hant', ['訂閱結束。', '', '資料保留。'], '訂閱結束。資料保留。', 'card、cash'],
  ['zh-Hans', ['无法付款。', 'It ends.', '请重试。'], '无法付款。It ends. 请重试。', 'card、cash'],
])('in %s sentences and lists are joined as people write them', (language, sentences, joined, parts) => {
  expect(joinSentences(language, sentences)).toBe(joined)
  expect(joinParts(language, ['card', 'cash'])).toBe(parts)
})

test.each([
  [['狀態', '是', '未配對'], '狀態是未配對'],
  [['建立時間', '晚於', '2027-01-01'], '建立時間晚於 2027-01-01'],
  [['State', 'is', '未配對'], 'State is 未配對'],
])('%j becomes %s', (words, joined) => {
  expect(joinWords(words)).toBe(joined)
})

test.each([
  ['將向 陳大文 收取 5 HKD。', '將向陳大文收取 5 HKD。'],
  ['將向 Ada 收取 陳大文。', '將向 Ada 收取陳大文。'],
  ['Charges 陳大文 now', 'Charges 陳大文 now'],
  ['由 2027年1月1日 至 2027年1月2日 止', '由 2027年1月1日至 2027年1月2日止'],
  ['向 山田 太郎 收取', '向山田 太郎收取'],
])('%s is shown as %s', (text, shown) => {
  const values = {
    name: '陳大文',
    other: '山田 太郎',
    from: '2027年1月1日',
    to: '2027年1月2日',
    count: 5,
    empty: '',
  }
  expect(withoutWideSpaces(text, values)).toBe(shown)
})
