import { expect, test } from 'vitest'
import { say } from './say.ts'

test.each([
  ['請於 {date} 或之前支付 {amount}', '請於 2027年7月15日或之前支付 EUR 211.47'],
  ['{name} 的 {name} 訂閱', '陳記的陳記訂閱'],
  ['{other} 的 {other} 訂閱', 'The Shop 的 The Shop 訂閱'],
  ['{name} への {amount} のお支払い', '陳記への EUR 211.47 のお支払い'],
  ['To {name} by {date}', 'To 陳記 by 2027年7月15日'],
  ['{name}에서 {amount}을(를)', '陳記에서 EUR 211.47을(를)'],
  ['Contact {company}.', 'Contact Acme Inc.'],
  ['Contact {company}, please.', 'Contact Acme Inc., please.'],
  ['{nobody} and {', '{nobody} and {'],
  ['{braces} 的', '{amount} 的'],
])('%s becomes %s', (sentence, said) => {
  const values = {
    name: '陳記',
    other: 'The Shop',
    company: 'Acme Inc.',
    date: '2027年7月15日',
    amount: 'EUR 211.47',
    braces: '{amount}',
  }
  expect(say(sentence, values)).toBe(said)
})
