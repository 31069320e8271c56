import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CURRENCIES, minorDigits } from '../../src/kernel/currencies.ts'
import { fromMinorUnits, Quittance, toMinorUnits } from '../src/index.ts'
import { type Amounts, readJson, writeJson } from '../src/json.ts'
import { fakeFetch } from './fake-fetch.ts'

const AMOUNTS: Amounts = { data: { total: true, lines: { price: true }, nested: { lines: { price: true } } } }

const decimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.option(fc.stringMatching(/^\d{1,20}$/)))
  .map(([minus, whole, fraction]) => `${minus ? '-' : ''}${whole}${fraction === null ? '' : `.${fraction}`}`)

/** Texts that look like JSON, numbers and escapes, which must not be taken for any. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\\"', '1.50', '":1.5', '{"total":1.10}', '\u2028', '__proto__', 'total'),
)
const other = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(null),
)
const line = fc.record({ price: decimal, label: text, count: fc.integer() })
const value = fc.record({
  [`total`]: decimal,
  lines: fc.array(line),
  nested: fc.record({ lines: fc.array(line), total: other }),
  other: fc.dictionary(text, other),
})

test('amounts are written as numbers digit by digit, and everything else as JSON writes it', () => {
  fc.assert(
    fc.property(value, (data) => {
      const written = writeJson({ data }, AMOUNTS)
      expect(withoutMinusZero(JSON.parse(written))).toEqual(withoutMinusZero({ data: withNumbers(data) }))
      expect(amountsWritten(written)).toEqual([data.total, ...prices(data)])
    }),
  )
})

test('what is written is read again without a change', () => {
  fc.assert(
    fc.property(value, (data) => {
      const written = writeJson({ data }, AMOUNTS)
      expect(readJson(written, AMOUNTS)).toEqual(JSON.parse(JSON.stringify({ data })))
    }),
  )
})

test('amounts are read as they were sent, also with white space, exponents and as strings', () => {
  const sent =
    '{ "data" : {"total": 1.10 , "lines":[ {"price":\n-0.0},{"price":"7.0"},{"price":null}], "n": 1e2} }'
  expect(readJson(sent, AMOUNTS)).toEqual({
    data: { total: '1.10', lines: [{ price: '-0.0' }, { price: '7.0' }, { price: null }], n: 100 },
  })
  expect(readJson('{"data":{"total":1E-7}}', AMOUNTS)).toEqual({ data: { total: '1E-7' } })
  expect(() => readJson('{"data":{"total":01}}', AMOUNTS)).toThrow(SyntaxError)
})

test('a number, a bigint and a malformed decimal are refused by the name of the member', () => {
  const wrong = [1.5, 2n, '1e3', '01', '.5', '1.', '+1', ' 1', '', 'NaN', true, {}]
  for (const price of wrong) {
    expect(() => writeJson({ data: { lines: [{ price: '1' }, { price }] } }, AMOUNTS)).toThrow(
      'data.lines[1].price must be an amount as a decimal string',
    )
  }
})

test('members without a value are left out, and null is kept', () => {
  expect(writeJson({ data: { total: undefined, lines: null, nested: [undefined] } }, AMOUNTS)).toBe(
    '{"data":{"lines":null,"nested":[null]}}',
  )
})

// Proves reference/conventions#money.
test('minor units have the decimals of every currency of the service', () => {
  for (const currency of CURRENCIES) {
    const digits = minorDigits(currency)
    expect(fromMinorUnits(1n, currency)).toBe(digits === 0 ? '1' : `0.${'1'.padStart(digits, '0')}`)
  }
  for (const currency of ['XXX', 'hkd', 'USDC', 'ED ', '']) {
    expect(() => toMinorUnits('1', currency)).toThrow(RangeError)
  }
})

test('minor units become a decimal and come back', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fc.integer({ min: 0, max: 18 }),
      (minor, digits) => {
        expect(toMinorUnits(fromMinorUnits(minor, digits), digits)).toBe(minor)
      },
    ),
  )
  expect(toMinorUnits('150.5', 'HKD')).toBe(15050n)
  expect(toMinorUnits('-0.01', 'HKD')).toBe(-1n)
  expect(toMinorUnits('10.00', 'JPY')).toBe(10n)
  expect(fromMinorUnits(-5n, 'HKD')).toBe('-0.05')
  expect(() => toMinorUnits('10.5', 'JPY')).toThrow('10.5 has more than the 0 decimals of JPY')
  expect(() => toMinorUnits('1e2', 'HKD')).toThrow(RangeError)
})

interface Line {
  readonly price: string
}
interface Sample {
  readonly total: string
  readonly lines: readonly Line[]
  readonly nested: { readonly lines: readonly Line[] }
}

function prices({ lines, nested }: Sample): string[] {
  return [...lines, ...nested.lines].map(({ price }) => price)
}

function withNumbers({ total, lines, nested, ...rest }: Sample) {
  const numbers = (list: readonly Line[]) => list.map((one) => ({ ...one, price: Number(one.price) }))
  return {
    total: Number(total),
    lines: numbers(lines),
    nested: { ...nested, lines: numbers(nested.lines) },
    ...rest,
  }
}

/** JSON.stringify writes -0 as 0; the SDK keeps the digits as they were. */
function withoutMinusZero(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json))
}

/** Reads the text by the runtime's own access to the source of a number. */
function amountsWritten(written: string): string[] {
  const found: string[] = []
  const sourceOf = (_name: string, read: unknown, context?: { source?: string }) =>
    typeof read === 'number' ? { source: context?.source } : read
  const { data } = JSON.parse(written, sourceOf) as {
    data: { total: Source; lines: { price: Source }[]; nested: { lines: { price: Source }[] } }
  }
  found.push(data.total.source)
  for (const { price } of [...data.lines, ...data.nested.lines]) found.push(price.source)
  return found
}

interface Source {
  readonly source: string
}

test('amounts by currency are written as numbers and read as they were sent', async () => {
  const { fetch, requests } = fakeFetch({ data: { settings: { write_off_up_to: { EUR: 0.5, JPY: 30 } } } })
  const quittance = new Quittance({ apiKey: 'qk_test_x', baseUrl: 'https://pay.example.com', fetch })
  const settings = await quittance.billingSettings.update({ write_off_up_to: { EUR: '0.50', JPY: '30' } })
  expect(requests[0]?.body).toBe('{"settings":{"write_off_up_to":{"EUR":0.50,"JPY":30}}}')
  expect(settings.write_off_up_to).toEqual({ EUR: '0.5', JPY: '30' })
})
