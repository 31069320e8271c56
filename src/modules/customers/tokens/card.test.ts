import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withKey } from '#platform/testing/requests'
import { bindCard, cardRequest, createFixture, newCustomer } from '../testing/fixture.ts'
import type { BindRequest } from '../bindings/bind-request.ts'
import { expiryProblem, readExpiry } from './card-expiry.ts'
import { brandOf } from './card-number.ts'
import { openInstrument } from './card-vault.ts'
import { rewrapPaymentTokens } from './rewrap.ts'

const fixture = await createFixture()
const { admin, customers, db, keyring } = fixture

const CARDS = {
  '4242424242424242': 'visa',
  '5555555555554444': 'mastercard',
  '2223003122003222': 'mastercard',
  '378282246310005': 'amex',
  '6011111111111117': 'discover',
  '3056930009020004': 'diners',
  '36227206271667': 'diners',
  '3566002020360505': 'jcb',
  '6200000000000005': 'unionpay',
  '6205500000000000004': 'unionpay',
  '4000000000000002': 'visa',
  '4000002500003155': 'visa',
}

// Proves reference/customers#card-numbers.
test('the number of a card shows its brand', () => {
  for (const [number, brand] of Object.entries(CARDS))
    expect([number, brandOf(number)]).toEqual([number, brand])
  expect(brandOf('9999999999999995')).toBe('unknown')
})

test('a card is valid until the last moment of its month in the zone of the business', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 2026, max: 2060 }),
      fc.constantFrom('Asia/Hong_Kong', 'America/New_York', 'Pacific/Apia', 'UTC'),
      (month, year, zone) => {
        const expiry = readExpiry(String(month), String(year), zone)
        const before = expiry.expiresAt.subtract({ milliseconds: 1 })
        expect(before.toZonedDateTimeISO(zone)).toMatchObject({ month, year })
        expect(expiry.expiresAt.toZonedDateTimeISO(zone).month).toBe((month % 12) + 1)
        expect(expiryProblem(expiry, before)).toBeNull()
        expect(expiryProblem(expiry, expiry.expiresAt)).toBe('card_expired')
      },
    ),
  )
  expect(readExpiry('1', '31', 'UTC')).toMatchObject({ month: 1, year: 2031 })
  const now = Temporal.Instant.from('2026-11-21T00:00:00Z')
  expect(expiryProblem(readExpiry('12', '9999', 'UTC'), now)).toBe('card_expiry_invalid')
  expect(expiryProblem(readExpiry('12', '0000', 'UTC'), now)).toBe('card_expired')
})

test('a card that cannot be bound is refused with the member named, and nothing is stored', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const good = cardRequest('4242424242424242')
  const card = (change: object) =>
    ({ ...good, credit_card: { ...good.credit_card, ...change } }) as BindRequest
  const refusals: [BindRequest, string, string][] = [
    [card({ number: '4242424242424241' }), 'card_number_invalid', 'credit_card.number'],
    [card({ number: '4532015112830366' }), 'test_card_required', 'credit_card.number'],
    [card({ exp_year: '2020' }), 'card_expired', 'credit_card.exp_year'],
    [card({ exp_year: '2999' }), 'card_expiry_invalid', 'credit_card.exp_year'],
    [card({ billing_currency: 'XXX' }), 'billing_currency_unknown', 'credit_card.billing_currency'],
    [{ ...good, token_type: 'WalletBAutoDebit' }, 'credit_card_not_allowed', 'credit_card'],
  ]
  for (const [request, reason, param] of refusals) {
    await expect(customers.bind(caller, uuid, request)).rejects.toMatchObject({
      reason,
      status: 422,
      detail: { param: `payment_token.${param}` },
    })
  }
  await expect(customers.bind(caller, uuid, { token_type: 'CreditCard' })).rejects.toMatchObject({
    reason: 'credit_card_required',
    status: 400,
    detail: { param: 'payment_token.credit_card' },
  })
  const stored = await admin.query('select 1 from payment_tokens where business_id = $1', [businessId])
  expect(stored.rows).toEqual([])
})

test('no table holds a card number or a CVC, events and kept responses included', async () => {
  const { caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  for (const [index, number] of Object.keys(CARDS).entries()) {
    const keyed = withKey(caller, `key ${index}`)
    const request = cardRequest(number)
    if (request.credit_card !== undefined) Object.assign(request.credit_card, { cvc: '9713' })
    await customers.bind(keyed, uuid, request)
  }
  const tables = await admin.query<{ table_name: string }>(
    `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  let dump = ''
  for (const { table_name: table } of tables.rows) {
    const { rows } = await admin.query<{ row: string }>(`select to_jsonb(t)::text as row from ${table} t`)
    dump += rows.map((row) => row.row).join('\n')
  }
  expect(dump).toContain('424242******4242')
  for (const number of Object.keys(CARDS))
    expect(dump.includes(number), `the number ${number} is stored`).toBe(false)
  expect(dump).not.toContain('"9713"')
})

test('a stored card is decrypted without a CVC, and only for its own token and tenant', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const first = await bindCard(fixture, caller, uuid)
  const second = await bindCard(fixture, caller, uuid, '5555555555554444')
  const tokens = await db.transact(businessId, (tx) => customers.findTokens(tx, [first.token, second.token]))
  const [one, two] = [tokens.get(first.token), tokens.get(second.token)]
  if (one === undefined || two === undefined) throw new Error('a token is missing')
  expect(customers.openInstrument(one, 'simulator')).toEqual({
    type: 'card',
    number: '4242424242424242',
    expMonth: 7,
    expYear: 2040,
    holderName: 'Ada Lovelace',
  })
  expect(() => openInstrument(keyring, { ...one, sealed: two.sealed }, 'simulator')).toThrow()
  expect(() => openInstrument(keyring, { ...one, businessId: 'biz_other' }, 'simulator')).toThrow()
})

test('a key rotation encrypts every stored number under the newest key, in batches that can be resumed', async () => {
  const { caller, businessId } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  for (let i = 0; i < 5; i++) await bindCard(fixture, caller, uuid)
  await customers.bind(caller, uuid, { token_type: 'WalletBAutoDebit' })
  fixture.rotateKeys()
  let rewrapsLeft = 3
  const dying: typeof keyring.rewrap = (sealed, bound) => {
    if (rewrapsLeft-- === 0) throw new Error('the process died')
    return keyring.rewrap(sealed, bound)
  }
  await expect(rewrapPaymentTokens(db, { rewrap: dying }, 2)(businessId)).rejects.toThrow('the process died')
  expect(await rewrapPaymentTokens(db, keyring, 2)(businessId)).toBe(3)
  expect(await rewrapPaymentTokens(db, keyring)(businessId)).toBe(0)
  const { rows } = await admin.query<{ sealed_number: string; token: string }>(
    'select token, sealed_number from payment_tokens where business_id = $1 and sealed_number is not null',
    [businessId],
  )
  expect(rows).toHaveLength(5)
  for (const row of rows) expect(row.sealed_number).toContain(keyring.newestKeyId)
  const tokens = await db.transact(businessId, (tx) =>
    customers.findTokens(
      tx,
      rows.map((row) => row.token),
    ),
  )
  for (const token of tokens.values()) {
    expect(customers.openInstrument(token, 'simulator')).toMatchObject({ number: '4242424242424242' })
  }
})
