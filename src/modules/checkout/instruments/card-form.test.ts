import { expect, test } from 'vitest'
import { wordsOf } from '../words/all-words.ts'
import { readCard } from './card-form.ts'

const AT = {
  now: Temporal.Instant.from('2031-03-31T15:59:59Z'),
  timeZone: 'Asia/Hong_Kong',
  environment: 'test',
  acquirer: 'simulator',
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
  account: '',
  componentData: '',
  device: 'desktop' as const,
}

function read(members: Partial<typeof GOOD>, at: { acquirer?: string } = {}) {
  return readCard({ ...GOOD, ...members }, { ...AT, ...at }, wordsOf('en'))
}

// Proves reference/pages#payment-page, reference/customers#card-numbers.
test('a card is read in every grouping and spelling', () => {
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

test('full-width digits of a Chinese keyboard are read', () => {
  const { card } = read({
    number: '４２４２　４２４２４２４２４２４２',
    expiry: '１２／４９',
    cvc: '１２３',
  }) as { card: object }
  expect(card).toMatchObject({ number: '4242424242424242', expMonth: 12, expYear: 2049, cvc: '123' })
})

test('all mistakes are reported at once', () => {
  const { problems } = read({ number: '', expiry: '', cvc: '', name: '' }) as { problems: object }
  expect(Object.keys(problems)).toEqual(['number', 'expiry', 'cvc', 'name'])
})

test('a test environment takes Adyen’s published test cards where an Adyen account would charge them', () => {
  const number = '4646 4646 4646 4644'
  const { problems } = wordsOf('en')
  expect(read({ number }, { acquirer: 'adyen' })).toHaveProperty('card.number', '4646464646464644')
  expect(read({ number }, { acquirer: 'simulator' })).toEqual({
    problems: { number: problems.testCardRequired },
  })
  expect(read({ number }, { acquirer: 'stripe' })).toEqual({
    problems: { number: problems.testCardRequired },
  })
  const unpublished = { number: '4539 1488 0343 6467' }
  expect(read(unpublished, { acquirer: 'adyen' })).toEqual({
    problems: { number: problems.testCardRequired },
  })
})

test('a card is valid to the end of its month in the business’s time zone', () => {
  expect(read({ expiry: '03/31' })).toHaveProperty('card')
  const nextSecond = Temporal.Instant.from('2031-03-31T16:00:00Z')
  expect(readCard({ ...GOOD, expiry: '03/31' }, { ...AT, now: nextSecond }, wordsOf('en'))).toEqual({
    problems: { expiry: wordsOf('en').problems.expiryPast },
  })
})

test('a test environment takes only test cards, and no environment takes a mistyped number', () => {
  const problems = { number: wordsOf('en').problems.testCardRequired }
  expect(read({ number: '4539 1488 0343 6467' })).toEqual({ problems })
  expect(
    readCard({ ...GOOD, number: '4539 1488 0343 6467' }, { ...AT, environment: 'live' }, wordsOf('en')),
  ).toHaveProperty('card')
  expect(read({ number: '4242 4242 4242 4241' })).toEqual({
    problems: { number: wordsOf('en').problems.numberInvalid },
  })
})

test('the security code has four digits on American Express and three on other cards', () => {
  expect(read({ number: '3782 822463 10005', cvc: '1234' })).toHaveProperty('card')
  expect(read({ number: '3782 822463 10005', cvc: '123' })).toEqual({
    problems: { cvc: 'Enter the 4 digits of the security code.' },
  })
})

test('a name that contains a card number or cannot be stored is refused', () => {
  for (const name of ['4242424242424242', 'CHAN 4242 4242-42424242', 'CHAN\0', 'CHAN \ud83d']) {
    expect(read({ name })).toEqual({ problems: { name: wordsOf('en').problems.nameMissing } })
  }
  expect(read({ name: '陳大文 😀 3rd' })).toHaveProperty('card')
})
