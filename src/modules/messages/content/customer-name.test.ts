import { expect, test } from 'vitest'
import { nameInMessages } from './customer-name.ts'

// Proves reference/messages#what-a-message-says.
test.each([
  'https://evil.example',
  'Claim it at evil.example/now',
  'WWW.EVIL.EXAMPLE',
  'evil.xn--p1ai',
  'пример.рф',
  'उदाहरण.भारत',
  '例え。テスト',
  'http:evil',
  'mailto:a',
  'http://10.0.0.1',
  '10.0.0.1',
  'amy@evil.example',
  'root@localhost',
  '\\\\evil\\share',
  'evil．example',
  'amy＠evil',
  'https：//evil',
  'evil.\u200cexample',
  'ev\u00adil.\u2060example',
])('a name that holds %j is not mailed', (name) => {
  expect(nameInMessages(name)).toBe('')
})

test.each([
  'Amy Lee',
  'J. R. Smith',
  'J.R. Smith',
  'Dr. Smith',
  "Sinéad O'Brien-Łuczak",
  'Smith & Sons, Inc.',
  'Mærsk A/S',
  'Studio 54: Paris',
  '陳大文',
  '山田 太郎',
  'أحمد علي',
  'สมชาย ใจดี',
  'Agent 007',
  'Client 1796100123456',
  'Suite 2.5',
  '',
])('a name such as %j is mailed as it is', (name) => {
  expect(nameInMessages(name)).toBe(name)
})
