import { expect, test } from 'vitest'
import {
  againstGlossary,
  againstTypography,
  languageProblems,
  languagesOfTexts,
  readGlossaries,
  textsOf,
} from './check-languages.ts'

const GLOSSARIES = readGlossaries()

/** What the check says of one text, planted into a language. */
function problemsOf(language: string, english: string, text: string): string[] {
  const glossary = GLOSSARIES.get(language)
  if (glossary === undefined) throw new Error(`no glossary ${language}`)
  const planted = { place: 'planted', english, text }
  return [...againstGlossary(glossary, planted), ...againstTypography(language, planted)]
}

test('every text of every language follows its glossary', () => {
  expect(languageProblems()).toEqual([])
  expect(languagesOfTexts()).toEqual([...GLOSSARIES.keys()].toSorted())
})

test('texts are read from the console, the pages, the mails, the documents and the files', () => {
  const places = textsOf('zh-Hant').map(({ place }) => place)
  for (const part of [
    'web/console/src/locales/zh-Hant/plans.json every.month',
    'src/modules/checkout/words/languages/zh-Hant.json pay',
    'src/modules/portal/words/languages/zh-Hant.json plans',
    'src/modules/messages/rendering/languages/zh-Hant.json messages.invoice.intro.0',
    'src/modules/invoices/documents/languages/zh-Hant.json creditNote',
    'src/modules/messages/unsubscribe/words.ts zh-Hant.button',
    'src/modules/users/mail/messages.ts zh-Hant',
    'src/modules/payments/api/spreadsheets.ts',
  ]) {
    expect(
      places.some((place) => place.startsWith(part)),
      part,
    ).toBe(true)
  }
})

test.each([...GLOSSARIES])('a planted word that %s does not use is refused', (language, { terms }) => {
  for (const word of terms.flatMap(({ not = [] }) => not)) {
    expect(problemsOf(language, '', `x ${word.replaceAll('{', '{name}')} x`).join('\n')).toContain(
      `“${word}”`,
    )
  }
})

test.each([...GLOSSARIES])('a label that %s has another term for is refused', (language, { terms }) => {
  for (const { en } of terms) expect(problemsOf(language, en, '—'), en).not.toEqual([])
})

test.each([
  ['zh-Hant', 'every month', '每隔 1 月', '每隔'],
  ['zh-Hant', 'Your account', '你的賬戶', '你'],
  ['zh-Hant', 'Bank account', '銀行帳戶', '帳'],
  ['zh-Hant', 'Save', '储存', 'other script'],
  ['zh-Hans', 'Save', '儲存', 'other script'],
  ['zh-Hans', 'Your card, please.', '请输入您的卡号,谢谢。', 'full-width'],
  ['zh-Hant', 'From 3 days', '3天起', 'space between'],
  ['ja', 'Sign out now, please.', 'サインアウトしてください。', 'ログアウト'],
  ['ja', 'Pay {name}', '{name}へのお支払い', 'space after'],
  ['ko', 'Pay now?', '지금 결제할까요?', '습니까'],
  ['fr', 'Questions?', 'Des questions ?', 'no-break'],
  ['fr', 'Pay by {date}.', 'À régler avant le {date}.', 'au plus tard'],
  ['de', 'Your card', 'Deine Karte', 'Sie'],
  ['de', 'He said "yes" twice.', 'Er hat zweimal "ja" gesagt.', '„“'],
  ['es', 'Questions?', 'Tiene preguntas?', '¿'],
  ['pt', 'You have no cards.', 'Você não tem cartões.', 'você'],
  ['ar', 'Yes, please', 'نعم, من فضلك', '،'],
  ['th', 'Thank you.', 'ขอบคุณ.', 'no full stop'],
  ['it', 'The bank’s app', "L'app della banca", '’'],
  ['vi', 'Pay {amount} now', 'Thanh toán ngay', 'not the places'],
  ['nl', 'This order is paid in full.', 'Deze bestelling is', 'no whole sentence'],
  ['ja', 'The link works only once here.', 'リンクは works only once です。', 'is English'],
  ['id', 'Pay', ' Bayar', 'ends'],
])('in %s, “%s” said as “%s” is refused', (language, english, text, reason) => {
  expect(problemsOf(language, english, text).join('\n')).toContain(reason)
})

test.each([
  ['zh-Hant', 'Mail server', '郵件伺服器'],
  ['zh-Hant', 'Send it with `quittance keys create`.', '請以 `quittance keys create` 建立。'],
  ['zh-Hans', 'Such as amy@example.com, please.', '例如 amy@example.com。'],
  ['ko', 'Too many requests', '요청이 너무 많습니다'],
  ['th', 'Only on your own device.', 'บนอุปกรณ์ของคุณเท่านั้น'],
  ['fr', 'Questions?', 'Des questions\u00a0?'],
  ['ar', 'Quantity', 'الكمية'],
])('in %s, “%s” said as “%s” passes', (language, english, text) => {
  expect(problemsOf(language, english, text)).toEqual([])
})
