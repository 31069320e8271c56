import { readdirSync } from 'node:fs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { MESSAGE_KINDS, OPTIONAL_KINDS } from '../model/kinds.ts'
import { PLACEHOLDERS } from '../model/placeholders.ts'
import type { MessageBrand } from './content.ts'
import { exampleContent } from './example.ts'
import { phrasesOf } from './phrases.ts'
import { piecesOf, unknownPlaceholders } from './placeholders.ts'
import { renderMessage } from './render.ts'
import { MESSAGE_LANGUAGES, messageLanguage, wordsOf } from './words.ts'

const BRAND: MessageBrand = {
  businessName: 'The Shop',
  logoUrl: null,
  color: null,
  email: null,
  phone: null,
  website: null,
}
const URL = 'https://pay.example.com/l/abc?x=1&y=2'
const example = (kind: (typeof MESSAGE_KINDS)[number], language = 'en') =>
  exampleContent({ kind, language, brand: BRAND, currency: 'EUR', url: URL })

// Proves reference/messages#what-a-message-says.
test('every kind in every language has a subject, a page and a text, and leaves no placeholder open', () => {
  for (const language of MESSAGE_LANGUAGES) {
    for (const kind of MESSAGE_KINDS) {
      const { subject, html, text } = renderMessage(example(kind, language))
      for (const part of [subject, html, text])
        expect(part, `${language} ${kind}`).not.toMatch(/\{\{|undefined/)
      expect(subject).not.toBe('')
      expect(html).toContain(`lang="${language}"`)
      expect(text).toContain('The Shop')
      expect(html.includes('pay.example.com/l/abc?x=1&amp;y=2')).toBe(text.includes(URL))
      expect(html.length, 'Gmail cuts off what is longer than 102 kB').toBeLessThan(40_000)
    }
  }
})

test('messages have the languages of the hosted pages', () => {
  const pages = readdirSync('src/modules/checkout/words/languages').map((file) => file.replace('.json', ''))
  expect(MESSAGE_LANGUAGES).toEqual(pages.toSorted())
  expect(['pt-BR', 'zh-HK', 'zh', 'EN-gb', 'tlh'].map(messageLanguage)).toEqual([
    'pt',
    'zh-Hant',
    'zh-Hans',
    'en',
    undefined,
  ])
})

test('every language has every text, with the same placeholders', () => {
  const english = textsOf(wordsOf('en'))
  for (const language of MESSAGE_LANGUAGES) {
    const texts = textsOf(wordsOf(language))
    expect([...texts.keys()], language).toEqual([...english.keys()])
    for (const [name, text] of texts) {
      expect(text.trim(), `${language} ${name}`).not.toBe('')
      expect(namesIn(text), `${language} ${name}`).toEqual(namesIn(english.get(name) ?? ''))
    }
  }
})

test('nothing that a name or an own text holds becomes HTML, a template or another line of the subject', () => {
  const hostile = fc.oneof(
    fc.constantFrom('<script>', '"><img src=x>', '{{link}}', '\r\nBcc: x@example.com', '\u202egnp', "'&"),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...MESSAGE_KINDS),
      fc.constantFrom('en', 'ar', 'ja'),
      fc.array(hostile, { minLength: 10, maxLength: 10 }),
      (kind, language, texts) => {
        const text = (index: number) => texts[index] ?? ''
        const values = Object.fromEntries(PLACEHOLDERS.map((name, index) => [name, text(index)]))
        const content = { ...example(kind, language), values }
        const { subject, html } = renderMessage({
          ...content,
          brand: { ...BRAND, businessName: text(8) },
          details: { lines: [{ label: text(9), quantity: '2', amount: '1' }], rows: [] },
          override: { subject: `{{customer_name}} ${text(8)}`, intro: `{{link}}${text(9)}`, outro: text(8) },
        })
        expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u)
        expect(html).not.toContain('\u202e')
        const tags = [...html.matchAll(/<\/?([a-z0-9:!-]*)/gi)].map(([, tag = '']) => tag.toLowerCase())
        expect(tags.filter((tag) => !KNOWN_TAGS.has(tag) && !tag.startsWith('!'))).toEqual([])
        expect([...html.matchAll(/<img/g)]).toHaveLength(0)
      },
    ),
    { numRuns: 60 },
  )
})

const KNOWN_TAGS = new Set(
  'html head title meta style body div table tbody tr td th h1 a br bdi p noscript xml o:officedocumentsettings o:allowpng o:pixelsperinch'.split(
    ' ',
  ),
)

// Proves reference/messages#templates.
test('own texts keep their lines, name values, and replace the greeting', () => {
  const { subject, html, text } = renderMessage({
    ...example('receipt'),
    override: {
      subject: 'Thanks, {{ customer_name }}',
      intro: 'First line\nsecond line\n\nNew paragraph: {{link}}',
      outro: 'Yours, {{business_name}} {{not closed',
    },
  })
  expect(subject).toBe('Thanks, Amy Lee')
  expect(html).toContain('First line<br />second line')
  expect(html).toMatch(/New paragraph: <a href="https:\/\/pay\.example\.com\/l\/abc\?x=1&amp;y=2"/)
  expect(html).not.toContain('Hello')
  expect(text).toContain(`First line\nsecond line\n\nNew paragraph: ${URL}`)
  expect(text).toContain('Yours, The Shop {{not closed')
})

test('a placeholder that no message knows is named once', () => {
  expect(
    unknownPlaceholders(['{{amount}} {{ link }}', '{{name}} {{#if x}} {{}} {{name}} {{', '}} {{a{{b}}']),
  ).toEqual(['name', '#if x', '', 'a{{b'])
  expect(unknownPlaceholders([`{{${'x'.repeat(100)}}}`])).toEqual(['x'.repeat(40)])
  expect(unknownPlaceholders(['{{'.repeat(50_000)])).toEqual([])
})

test('sentences without their value are left out', () => {
  const { values, ...content } = example('trial_ending')
  const { amount, customer_name, ...others } = values
  const { text } = renderMessage({ ...content, values: others })
  expect([amount, customer_name]).toEqual(['€119.00', 'Amy Lee'])
  expect(text).toContain('\n\nYour trial of Pro ends on 15 June 2027.\n\n')
})

test('a text says everything that the page says', () => {
  expect(
    renderMessage({
      ...example('invoice'),
      brand: { ...BRAND, email: 'help@shop.example', website: 'https://shop.example' },
      testMode: true,
      override: { outro: 'We close in July.' },
    }).text,
  ).toMatchInlineSnapshot(`
    "Test mode: no money moves.

    Invoice INV-2027-000123
    €119.00

    Hello Amy Lee,

    Please pay €119.00 by 15 June 2027. The invoice is attached.

    Pay now:
    https://pay.example.com/l/abc?x=1&y=2

    Number: INV-2027-000123
    Due on: 15 June 2027
    Payment reference: RF18 5390 0754 7034

    Pro: €100.00
    Tax 19%: €19.00
    Amount due: €119.00

    We close in July.

    Attached: INV-2027-000123.pdf

    -- 
    The Shop
    help@shop.example
    https://shop.example
    "
  `)
})

test('Arabic runs from right to left, and names and amounts keep their own direction', () => {
  const { html, text } = renderMessage(example('receipt', 'ar'))
  expect(html).toContain('<html lang="ar" dir="rtl"')
  expect(html).toContain('<bdi>Amy Lee</bdi>')
  expect(html).not.toContain('direction:ltr')
  expect(text).toContain('\u2068Amy Lee\u2069')
})

test('names in Chinese and Japanese letters stand without spaces among such, and others with', () => {
  const said = (language: string, name: string, kind: (typeof MESSAGE_KINDS)[number] = 'plan_canceled') => {
    const { values, ...content } = example(kind, language)
    const brand = { ...BRAND, businessName: name }
    return renderMessage({ ...content, brand, values: { ...values, business_name: name, plan_name: name } })
  }
  expect(said('zh-Hant', '陳記').text).toContain('您在陳記的陳記訂閱已於 2027年6月15日結束。')
  expect(said('zh-Hant', 'The Shop').text).toContain('您在 The Shop 的 The Shop 訂閱已於 2027年6月15日結束。')
  expect(said('zh-Hans', '蓝天 24').html).toContain('您在<bdi>蓝天 24</bdi> 的<bdi>蓝天 24</bdi> 订阅')
  expect(said('zh-Hans', '蓝天').subject).toBe('您的蓝天订阅已结束')
  expect(said('ja', 'ジム').text).toContain('ジムのジムのサブスクリプションは 2027年6月15日に終了しました。')
  expect(said('ko', '푸른하늘').text).toContain('푸른하늘의 푸른하늘 구독이 2027년 6월 15일에')
  expect(said('en', '陳記').text).toContain('Your subscription to 陳記 with 陳記 ended')
})

test('a sentence that ends in an abbreviation has one full stop', () => {
  const brand = { ...BRAND, businessName: 'Acme Inc.', email: 'help@shop.example' }
  const said = (language: string) =>
    renderMessage(exampleContent({ kind: 'balance_low', language, brand, currency: 'AED', url: URL }))
  expect(said('en').html).toContain('Contact <bdi>Acme Inc.</bdi></div>')
  expect(said('ar').text).toMatch(/د\.إ\.\u2069\n/)
})

test('optional kinds can be unsubscribed from, and others say nothing of it', () => {
  for (const kind of MESSAGE_KINDS) {
    const { html, text } = renderMessage(example(kind))
    expect(html.includes('Unsubscribe'), kind).toBe(OPTIONAL_KINDS.has(kind))
    expect(text.includes('Unsubscribe'), kind).toBe(OPTIONAL_KINDS.has(kind))
  }
})

test('amounts, dates and reasons are written as their reader writes them', () => {
  const money = Money.ofDecimal('EUR', '1234.50')
  const said = (language: string) => {
    const phrases = phrasesOf(language)
    return [phrases.money(money), phrases.date('2027-06-15')].map((text) => text.replace(/\s/g, ' '))
  }
  expect(said('en')).toEqual(['€1,234.50', '15 June 2027'])
  expect(said('de')).toEqual(['1.234,50 €', '15. Juni 2027'])
  expect(said('zh-Hant')).toEqual(['€1,234.50', '2027年6月15日'])
  expect(said('ar')[0]).toMatch(/1,234\.50/)
  expect(phrasesOf('en').money(Money.ofDecimal('JPY', '500'))).toBe('¥500')
  // The payer need not learn that a card was reported stolen.
  const { decline, method, lineLabel } = phrasesOf('en')
  expect([decline('stolen_card'), decline('insufficient_funds'), decline(null)]).toEqual([
    'Your bank declined the card',
    'Insufficient funds',
    'Your bank declined the card',
  ])
  expect([method('bank_transfer'), method('payment_token', { brand: 'Visa', last4: '4242' })]).toEqual([
    'Bank transfer',
    'Visa •••• 4242',
  ])
  expect([lineLabel('Proration', 'Charge'), lineLabel(null, 'RearTips'), lineLabel('Tea', 'Charge')]).toEqual(
    ['Proration', 'Tips', 'Tea'],
  )
})

function textsOf(words: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? [...textsOf(value, `${prefix}${name}.`)]
        : [[`${prefix}${name}`, [value].flat().join('\n')] as const],
    ),
  )
}

function namesIn(text: string): string[] {
  return piecesOf(text)
    .flatMap((piece) => ('name' in piece ? [piece.name] : []))
    .filter((name, index, names) => names.indexOf(name) === index)
    .toSorted()
}
