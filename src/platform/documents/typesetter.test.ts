import fc from 'fast-check'
import * as fontkit from 'fontkit'
import Pdf from 'pdfkit'
import { expect, test, vi } from 'vitest'
import { runsOf } from './document-fonts.ts'
import { Typesetter } from './typesetter.ts'
import { canShow } from './testing/can-show.ts'

vi.mock('fontkit', { spy: true })

const BODY = { size: 10 }

// Proves reference/pages#documents.
test('a long line is measured a few times, not at each character', () => {
  const pdf = new Pdf({ autoFirstPage: false })
  const measure = vi.spyOn(pdf, 'widthOfString')
  const text = '青瓷茶壺'.repeat(250)
  // 200 characters a line.
  const { lines } = new Typesetter(pdf, 'en').breakLines(text, 2_000, BODY)
  expect(lines.map((line) => line.length)).toEqual([200, 200, 200, 200, 200])
  const measured = measure.mock.calls.reduce((sum, [part]) => sum + part.length, 0)
  expect(measured).toBeLessThan(20 * text.length)
})

test('a line begins its search at the length of the line before', () => {
  const pdf = new Pdf({ autoFirstPage: false })
  const measure = vi.spyOn(pdf, 'widthOfString')
  const text = '青瓷茶壺'.repeat(250)
  // 20 characters a line.
  expect(new Typesetter(pdf, 'en').breakLines(text, 200, BODY).lines).toHaveLength(50)
  const measured = measure.mock.calls.reduce((sum, [part]) => sum + part.length, 0)
  expect(measured).toBeLessThan(4 * text.length)
})

const set = new Typesetter(new Pdf({ autoFirstPage: false }), 'en')
const linesOf = (text: string, width: number) => set.breakLines(text, width, BODY).lines

test('every line fits its column, and all lines together are the text', () => {
  const parts = fc.constantFrom('Tea ', 'of', ' ', '茶', '，', 'AVAVAVAVAVAV', 'x'.repeat(60), 'fi ', '한')
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), fc.integer({ min: 12, max: 300 }), (chosen, width) => {
      const text = chosen.join('')
      const lines = linesOf(text, width)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      for (const line of lines) expect(linesOf(line, width)).toEqual([line])
    }),
  )
})

test('every line is as full as its column allows', () => {
  const words = fc.constantFrom('Tea ', 'of ', '茶', 'AVATAR ', 'finest ')
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 60, max: 300 }),
      (chosen, width) => {
        const expected: string[] = []
        let line = ''
        for (const word of chosen) {
          if (linesOf(line + word, width).length > 1) {
            expected.push(line.trimEnd())
            line = ''
          }
          line += word
        }
        expect(linesOf(chosen.join(''), width)).toEqual([...expected, line.trimEnd()])
      },
    ),
  )
})

test('no line of Chinese or Japanese begins with a comma or ends with an opening bracket', () => {
  const parts = fc.constantFrom('茶', 'Tea', '，', '。', '（', '「', '」', '）', 'ー', 'っ')
  fc.assert(
    fc.property(
      fc.array(parts, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 100, max: 300 }),
      (chosen, width) => {
        // Only a run of such characters may be longer than a line.
        const text = `茶${chosen.join('').replace(/([，。（「」）ーっ])[，。（「」）ーっ]+/g, '$1')}茶`
        const lines = linesOf(text, width)
        for (const line of lines.slice(1)) expect(line).not.toMatch(/^[，。」）ーっ]/)
        for (const line of lines.slice(0, -1)) expect(line).not.toMatch(/[（「]$/)
      },
    ),
  )
  expect(linesOf('請於七月，付款', 40)).toEqual(['請於七', '月，付款'])
})

test('every font file is read once, however many files a text needs', () => {
  const characters = Array.from({ length: 600 }, (_, index) => String.fromCodePoint(0x4e00 + 31 * index))
  runsOf(characters.join(''), 400, 'en')
  const files = vi.mocked(fontkit.create).mock.calls.map(([font]) => font.toString('latin1'))
  expect(files.length).toBeGreaterThan(64)
  expect(new Set(files).size).toBe(files.length)
})

test.each([
  'Łódź, Příliš, Şeker',
  'Ελληνικός',
  'Ђорђе',
  'Nguyễn',
  'हिन्दी',
  'กาแฟเย็น',
  'קפה',
  'قهوة',
  '한국어',
  'コーヒー',
  '👩‍👩‍👧 🇭🇰',
])('every character of %s has a font', (text) => {
  expect(canShow(text)).toBe(true)
  expect(
    runsOf(text, 700, 'en')
      .map((run) => run.text)
      .join(''),
  ).toBe(text)
})

test('a word uses one font family, and an emoji of several characters one file', () => {
  const families = runsOf('Příliš', 400, 'en').map(({ font }) => font.split('/')[0])
  expect(new Set(families)).toEqual(new Set(['noto-sans']))
  expect(runsOf('👩‍👩‍👧', 400, 'en')).toHaveLength(1)
})

test('invisible characters draw nothing', () => {
  const runs = runsOf('te\u00ada\u200b\ufeff pot\u200f', 400, 'en')
  expect(runs.map(({ text }) => text).join('')).toBe('tea pot')
})

/** The pieces that are written, from left to right. */
function written(text: string): { texts: string[]; baselines: Set<unknown> } {
  const pdf = new Pdf()
  const write = vi.spyOn(pdf, 'text')
  new Typesetter(pdf, 'en').write(text, { x: 0, y: 0, width: 500 }, BODY)
  const calls = write.mock.calls as unknown as [string, number, number][]
  return { texts: calls.map(([piece]) => piece), baselines: new Set(calls.map(([, , y]) => y)) }
}

test('Hebrew and Arabic run right to left, numbers and Latin in them left to right, and brackets are mirrored', () => {
  const { texts } = written('קפה (12) Tea!? עם')
  expect(texts).toEqual(['עם', ' ?!', 'Tea', ' (', '12', ') ', 'קפה'])
})

test('a number in digits of Arabic or Persian reads from left to right, alone and in a text of either direction', () => {
  // The font draws from right to left whatever is Arabic.
  const drawn = (text: string) =>
    written(text)
      .texts.map((piece) => (/[\u0660-\u06f9]/u.test(piece) ? Array.from(piece).reverse().join('') : piece))
      .join('')
  expect(drawn('شارع ١٢٫٥')).toBe('١٢٫٥ شارع')
  expect(drawn('No. ١٢')).toBe('No. ١٢')
  expect(drawn('۱۲')).toBe('۱۲')
})

test('all scripts of a line share one baseline', () => {
  expect(written('茶 Łódź 한국 กาแฟ قهوة').baselines.size).toBe(1)
})

test('direction overrides are dropped, so that no text looks different from what it says', () => {
  expect(written('Pay \u202e05.1\u202c now').texts.join('')).toBe('Pay 05.1 now')
})
