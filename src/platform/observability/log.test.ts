import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { withCheckDigit } from '#kernel/card-number'
import { createLog, type Log } from '#platform/observability/log'
import { maskCardNumbers } from '#platform/security/redaction'

const SECRETS = [
  '4242424242424242',
  '4242 4242 4242 4242',
  '3782-822463-10005',
  'qk_test_AbCd0123_secret',
  'qk_live_zzzz',
  'sk_live_51HqKc2eZvKYlo2C',
  'rk_test_51HqKc2eZvKYlo2C',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
]

function logged(write: (log: Log) => void): string {
  let text = ''
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString()
      done()
    },
  })
  write(createLog({ level: 'debug', destination }))
  for (const line of text.trim().split('\n')) JSON.parse(line)
  return text
}

// Proves reference/customers#card-numbers.
test.each(SECRETS)('%s never appears in a log line', (secret) => {
  const failure = new Error(`could not use ${secret}`, { cause: new TypeError(`because of "${secret}"`) })
  const text = logged((log) => {
    log.info(`paid with ${secret}`)
    log.info({ token: secret, nested: [{ deep: { value: `x${secret}` } }], [secret]: 1 }, 'as a member')
    log.info({ body: JSON.stringify({ key: secret }) }, 'as JSON in a string')
    log.error(failure)
    log.error({ err: failure, cause: failure }, 'as an error')
    log.child({ bound: secret }).warn('as a binding')
  })
  expect(text).not.toContain(secret)
  expect(text.split('\n')).toHaveLength(7)
})

test('a card number logged as a number is masked', () => {
  const text = logged((log) => log.info({ number: 4242424242424242, amount: 150, big: 123456789012345 }))
  expect(JSON.parse(text)).toMatchObject({ number: '424242******4242', amount: 150, big: 123456789012345 })
})

test('members named like secrets are redacted, also inside a string that contains JSON', () => {
  const text = logged((log) => {
    log.info({
      headers: {
        Authorization: 'Bearer abc.def',
        cookie: 'session=s3cr3t',
        'signature-input': 'sig=("@method")',
      },
    })
    log.info({
      body: JSON.stringify({ credit_card: { cvc: '987', holder_name: 'Ann "A" Lee' }, secret: 'hush"hush' }),
    })
    log.info({ cvc: 987, after: 'kept' }, 'Authorization: Bearer abc.def')
  })
  // The milliseconds of the time may equal the code.
  const untimed = text.replaceAll(/"time":"[^"]*"/g, '')
  for (const secret of ['abc.def', 's3cr3t', '@method', '987', 'hush']) expect(untimed).not.toContain(secret)
  expect(text).toContain('holder_name')
  expect(text).toContain('"after":"kept"')
})

test('an error’s additional members, such as a driver’s rows, are not logged', () => {
  const failure = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(ann@example.com)',
  })
  const text = logged((log) => log.error({ err: failure }))
  expect(text).toContain('23505')
  expect(text).not.toContain('ann@example.com')
})

test('times, ids and amounts are not mistaken for card numbers', () => {
  const line = 'at 2025-01-31T09:30:00.123Z order ord_01kanq3x5kf0vsd2pjtwyt7cyr of 150.50 for 85291234567'
  expect(maskCardNumbers(line)).toBe(line)
})

test('token amounts, hashes and addresses are not mistaken for card numbers', () => {
  const amount = fc
    .tuple(
      fc.bigInt(0n, 10n ** 11n - 1n),
      fc.constantFrom('0', '42', '424242424242'),
      fc.integer({ min: 12, max: 36 }),
    )
    .map(([whole, digits, length]) => `${whole}.${digits.padEnd(length, '0')}`)
  const hash = fc.constantFrom(40, 64).map((length) => `0x${'a4242424242424242b'.repeat(4).slice(0, length)}`)
  fc.assert(
    fc.property(amount, hash, (shownAmount, shownHash) => {
      const body = JSON.stringify({ amount: shownAmount, block_hash: shownHash })
      expect(maskCardNumbers(body)).toBe(body)
      expect(logged((log) => log.info({ body }))).toContain(JSON.stringify(body))
    }),
  )
})

test('thousands of groups of digits are scanned quickly, and a card number among them is masked', () => {
  // A quadratic scan would take minutes and time out.
  const groups = '1 '.repeat(4_000)
  const masked = maskCardNumbers(`${groups}: 4242 4242 4242 4242`)
  expect(masked === `${groups}: 424242******4242`).toBe(true)
})

test('every Luhn-valid run of 12 to 19 digits is masked, whatever digits are next to it', () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 18 })
  const number = digits.map((list) => withCheckDigit(list.join('')))
  fc.assert(
    fc.property(number, fc.nat(999), fc.constantFrom(' ', '-', ', ', ':'), (card, beside, separator) => {
      expect(maskCardNumbers(`${beside}${separator}${card}${separator}${beside}`)).not.toContain(card)
    }),
  )
})

test.skipIf(!existsSync('/dev/full'))('a log that cannot be written ends nothing', async () => {
  const program = `
    import { createLog } from '#platform/observability/log'
    const log = createLog({ level: 'info' })
    for (let line = 0; line < 3; line++) log.info('to a full disk')
    setTimeout(() => process.exit(7), 50)`
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    stdio: ['ignore', full, 'inherit'],
  })
  expect(await once(child, 'exit')).toEqual([7, null])
})
