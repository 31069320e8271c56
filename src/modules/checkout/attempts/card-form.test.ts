import { expect, test } from 'vitest'
import { EN } from '../words/words.en.ts'
import { readCard } from './card-form.ts'

const AT = {
  now: Temporal.Instant.from('2031-03-31T15:59:59Z'),
  timeZone: 'Asia/Hong_Kong',
  environment: 'test',
} as const
const GOOD = {
  attempt: 'a',
  amount: '100.00',
  method: 'credit_card',
  number: '4242 4242 4242 4242',
  expiry: '12 / 49',
  cvc: '123',
  name: ' CHAN TAI MAN ',
  save: false,
}

function read(members: Partial<typeof GOOD>, at: Partial<typeof AT> = {}) {
  return readCard({ ...GOOD, ...members }, { ...AT, ...at }, EN)
}

test('a card is read however the payer groups and writes it', () => {
  for (const expiry of ['12 / 49', '12/49', '12/2049', '1249', '122049', '12-49', '12 49']) {
    expect(read({ expiry, number: '4242-4242 42424242' })).toEqual({
      card: {
        number: '4242424242424242',
        brand: 'visa',
        cvc: '123',
        holderName: 'CHAN TAI MAN',
        expMonth: 12,
        expYear: 2049,
      },
    })
  }
})

test('digits may be full-width, as a Chinese keyboard writes them', () => {
  const { card } = read({
    number: '４２４２　４２４２４２４２４２４２',
    expiry: '１２／４９',
    cvc: '１２３',
  }) as { card: object }
  expect(card).toMatchObject({ number: '4242424242424242', expMonth: 12, expYear: 2049, cvc: '123' })
})

test('everything that is wrong is said at once', () => {
  const { problems } = read({ number: '', expiry: '', cvc: '', name: '' }) as { problems: object }
  expect(Object.keys(problems)).toEqual(['number', 'expiry', 'cvc', 'name'])
})

test('a card is good to the end of its month where the business is', () => {
  expect(read({ expiry: '03/31' })).toHaveProperty('card')
  const nextSecond = Temporal.Instant.from('2031-03-31T16:00:00Z')
  expect(readCard({ ...GOOD, expiry: '03/31' }, { ...AT, now: nextSecond }, EN)).toEqual({
    problems: { expiry: EN.problems.expiryPast },
  })
})

test('a test environment takes test cards alone, and no environment a number with a slip', () => {
  const problems = { number: EN.problems.testCardRequired }
  expect(read({ number: '4539 1488 0343 6467' })).toEqual({ problems })
  expect(
    readCard({ ...GOOD, number: '4539 1488 0343 6467' }, { ...AT, environment: 'live' }, EN),
  ).toHaveProperty('card')
  expect(read({ number: '4242 4242 4242 4241' })).toEqual({ problems: { number: EN.problems.numberInvalid } })
})

test('American Express has four digits in its code, the others three', () => {
  expect(read({ number: '3782 822463 10005', cvc: '1234' })).toHaveProperty('card')
  expect(read({ number: '3782 822463 10005', cvc: '123' })).toEqual({
    problems: { cvc: 'Enter the 4 digits of the security code.' },
  })
})

test('a card number or what no database keeps is no name: names are stored and shown as they are', () => {
  for (const name of ['4242424242424242', 'CHAN 4242 4242-42424242', 'CHAN\0', 'CHAN \ud83d']) {
    expect(read({ name })).toEqual({ problems: { name: EN.problems.nameMissing } })
  }
  expect(read({ name: '陳大文 😀 3rd' })).toHaveProperty('card')
})
