import { compactDecrypt, exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { passesLuhn } from '#kernel/card-number'
import type { PublicJwk } from '#modules/businesses'
import { readPage } from '#platform/http/validation/list'
import { adminOf, untilWaiting } from '#platform/testing/database'
import { eventsOf } from '#platform/testing/events'
import {
  CARD_STATUSES,
  PHYSICAL_STATUSES,
  PHYSICAL_STATUS_CHANGES,
  STATUS_CHANGES,
} from '../model/card.states.ts'
import { rewrapCardNumbers } from './rewrap.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { cards, issue, issueActive, newBusiness } = fixture

// Proves reference/cards#issuing.
test('a new card is Inactive and Idle, and has only the requested limits', async () => {
  const caller = await newBusiness()
  const card = await issue(caller, {
    type: 'physical',
    title: 'Travel',
    limits: [{ period: 'Daily', limit_amount: '100' }],
  })
  expect(card).toMatchObject({
    title: 'Travel',
    type: 'physical',
    status: 'Inactive',
    physical_status: 'Idle',
    settlement_currency: 'HKD',
    limits: [{ period: 'Daily', limit_amount: '100.00', used_amount: '0.00', status: 'Active' }],
  })
  expect(card.expiration_date).toMatch(/^\d{2}\/\d{4}$/)
  expect(await fixture.cardOf(caller, card.id)).toEqual(card)
})

test('a reference id is unique within a business', async () => {
  const caller = await newBusiness()
  const card = await issue(caller)
  await expect(issue(caller, { reference_id: card.reference_id })).rejects.toMatchObject({
    reason: 'card_exists',
    detail: { data: { card: { id: card.id } } },
  })
  const elsewhere = await issue(await newBusiness(), { reference_id: card.reference_id })
  expect(elsewhere.id).not.toBe(card.id)
})

test('a rejected request names the invalid member', async () => {
  const caller = await newBusiness()
  const expectRejected = async (request: object, error: object) => {
    await expect(issue(caller, request)).rejects.toMatchObject(error)
  }
  await expectRejected({ settlement_currency: 'ABC' }, { reason: 'card_currency_unknown' })
  await expectRejected({ time_zone: 'Mars/Olympus' }, { reason: 'card_time_zone_unknown' })
  await expectRejected({ funding_wallet_id: 'wal_1' }, { reason: 'card_funding_not_available' })
  const limits = (...amounts: string[]) => ({
    limits: amounts.map((limit_amount) => ({ period: 'Daily', limit_amount })),
  })
  await expectRejected(limits('1', '2'), {
    reason: 'card_period_named_twice',
    detail: { param: 'card.limits[1].period' },
  })
  await expectRejected(limits('1.001'), {
    reason: 'card_amount_invalid',
    detail: { param: 'card.limits[0].limit_amount' },
  })
  await expectRejected(limits('100000000000.01'), { reason: 'card_limit_too_high' })
  await expectRejected(limits('-1'), { reason: 'card_amount_invalid' })
  expect((await issue(caller, limits('100000000000') as object)).limits).toHaveLength(1)
})

// Proves reference/cards#linking.
test('linking makes a card Active; the same user again gets the same response, another user 409', async () => {
  const caller = await newBusiness()
  const card = await issue(caller)
  const request = { card_reference_id: card.reference_id, p_user_id: 'user-1' }
  const linked = await cards.link(caller, request)
  expect(linked).toMatchObject({
    id: card.id,
    p_user_id: 'user-1',
    status: 'Active',
    is_encrypt: false,
    pan: `${card.first_6_digits}******${card.last_4_digits}`,
    issuer_brand: 'visa',
    reference_id: card.reference_id,
    business_name: 'Harbour Tea',
    title: '',
  })
  expect(await cards.link(caller, request)).toEqual(linked)
  await expect(cards.link(caller, { ...request, p_user_id: 'user-2' })).rejects.toMatchObject({
    reason: 'card_linked_to_another_user',
  })
  await expect(cards.link(caller, { ...request, card_reference_id: 'none' })).rejects.toMatchObject({
    reason: 'card_not_found',
    detail: { param: 'card_reference_id' },
  })
  const events = await fixture.eventsOf(caller, card.id)
  expect(events.map((event) => event.type)).toEqual(['card.linked'])
  // The quotes matter, because an id may contain the letters.
  expect(JSON.stringify(events)).not.toContain('"pan"')
  expect(JSON.stringify(events)).not.toMatch(/\d{12,}/)
})

test('a B2B card shows no user, and a terminated card cannot be linked', async () => {
  const caller = await newBusiness()
  const company = await issue(caller, { mode: 'B2B', business_name: 'Tea Ltd' })
  const linked = await cards.link(caller, { card_reference_id: company.reference_id, p_user_id: 'u' })
  expect(linked).not.toHaveProperty('p_user_id')
  expect(linked).toMatchObject({ business_name: 'Tea Ltd' })
  const card = await issue(caller)
  await cards.changeStatus(caller, card.id, { status: 'Terminated' })
  await expect(
    cards.link(caller, { card_reference_id: card.reference_id, p_user_id: 'u' }),
  ).rejects.toMatchObject({ reason: 'card_not_linkable' })
})

// Proves reference/cards#card-numbers.
test.each([
  ['RSA-OAEP-256', undefined],
  ['RSA-OAEP-256', 'RS256'],
  ['RSA-OAEP-512', 'RSA-OAEP-512'],
  ['ECDH-ES', undefined],
  ['ECDH-ES+A256KW', 'ECDH-ES+A256KW'],
])(
  'a registered encryption key gives the full number as a JWE under %s (the alg of the key is %s)',
  async (alg, keyAlg) => {
    const caller = await newBusiness()
    const card = await issue(caller)
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    const jwk = {
      ...(await exportJWK(publicKey)),
      kid: 'k1',
      use: 'enc',
      key_ops: [],
      ...(keyAlg && { alg: keyAlg }),
    } as PublicJwk
    fixture.encryptionKeys.set(caller.appId, jwk)
    const linked = await cards.link(caller, {
      card_reference_id: card.reference_id,
      p_user_id: 'u',
    })
    expect(linked.is_encrypt).toBe(true)
    const { plaintext, protectedHeader } = await compactDecrypt(linked.pan, privateKey)
    const number = new TextDecoder().decode(plaintext)
    expect(protectedHeader).toEqual({
      alg,
      enc: 'A256GCM',
      kid: 'k1',
      ...(alg.startsWith('ECDH-ES') && { epk: expect.anything() }),
    })
    expect(number).toMatch(/^\d{16}$/)
    expect(passesLuhn(number)).toBe(true)
    expect(number.startsWith(card.first_6_digits) && number.endsWith(card.last_4_digits)).toBe(true)
  },
)

test('no column holds a card number in the clear, and the number is rewrapped after a key rotation', async () => {
  const caller = await newBusiness()
  const card = await issueActive(caller)
  fixture.rotateKeys()
  const rewrap = rewrapCardNumbers(fixture.db, fixture.deps.keyring)
  expect(await rewrap(caller.businessId)).toBe(1)
  expect(await rewrap(caller.businessId)).toBe(0)
  const { rows } = await fixture.admin.query<{ all: string }>(
    'select cards::text as all from cards where business_id = $1',
    [caller.businessId],
  )
  expect(rows[0]?.all).not.toMatch(new RegExp(`${card.first_6_digits}\\d{6}${card.last_4_digits}`))
})

// Proves reference/cards#status.
test('the status changes exactly as the table allows', async () => {
  const caller = await newBusiness()
  for (const from of CARD_STATUSES) {
    for (const to of CARD_STATUSES) {
      const card = await issue(caller)
      await fixture.admin.query('update cards set status = $2 where id = $1', [card.id, from])
      const change = cards.changeStatus(caller, card.id, { status: to, remark: 'because' })
      if (STATUS_CHANGES[from].includes(to)) {
        expect(await change).toMatchObject({ card: { status: to, status_remark: 'because' } })
        expect((await fixture.eventsOf(caller, card.id)).at(-1)).toMatchObject({
          type: 'card.status_changed',
          data: { card: { id: card.id, status: to } },
        })
      } else {
        await expect(change).rejects.toMatchObject({ reason: 'card_status_conflict', status: 409 })
      }
    }
  }
})

test('the physical status changes exactly as the table allows', async () => {
  const caller = await newBusiness()
  for (const from of PHYSICAL_STATUSES) {
    for (const to of PHYSICAL_STATUSES) {
      const card = await issue(caller, { type: 'physical' })
      await fixture.admin.query('update cards set physical_status = $2 where id = $1', [card.id, from])
      const change = cards.changeStatus(caller, card.id, { physical_status: to })
      if (PHYSICAL_STATUS_CHANGES[from].includes(to))
        expect(await change).toMatchObject({ card: { physical_status: to } })
      else await expect(change).rejects.toMatchObject({ reason: 'card_status_conflict' })
    }
  }
})

test('a card expires at the end of its month in its time zone, with an event at that time', async () => {
  const caller = await newBusiness()
  await fixture.freezeClock(caller, '2026-11-20T04:00:00Z')
  const card = await issueActive(caller)
  expect(card.expiration_date).toBe('11/2029')
  await fixture.freezeClock(caller, '2029-11-30T15:59:59.999Z')
  expect((await fixture.authorize(caller, card.id, '1')).approved).toBe(true)
  await fixture.freezeClock(caller, '2029-11-30T16:00:00Z')
  expect((await fixture.authorize(caller, card.id, '1')).decline_reason).toBe('card_expired')
  expect((await fixture.cardOf(caller, card.id)).status).toBe('Expired')
  await fixture.runJob(caller, 'card_expiry', Temporal.Instant.from('2029-12-01T00:00:00Z'))
  const changes = (await eventsOf(fixture.db, caller.businessId, card.id)).filter(
    ({ type }) => type === 'card.status_changed',
  )
  expect(changes.map(({ timestamp }) => timestamp.toString())).toEqual(['2029-11-30T16:00:00Z'])

  // November has not ended in this zone, and the card stays Expired.
  expect(await cards.edit(caller, card.id, { time_zone: 'Pacific/Pago_Pago' })).toMatchObject({
    card: { status: 'Expired' },
  })
  expect((await fixture.authorize(caller, card.id, '1')).decline_reason).toBe('card_expired')
})

test('an expired card stays expired in a later time zone, even before the job ran, with one event', async () => {
  const caller = await newBusiness()
  await fixture.freezeClock(caller, '2026-11-01T04:00:00Z')
  const card = await fixture.issueActive(caller)
  const end = Temporal.Instant.from('2029-11-30T16:00:00Z')
  await fixture.freezeClock(caller, end)
  expect(await cards.edit(caller, card.id, { time_zone: 'Pacific/Pago_Pago' })).toMatchObject({
    card: { status: 'Expired' },
  })
  expect((await fixture.authorize(caller, card.id, '1')).decline_reason).toBe('card_expired')
  await fixture.runJob(caller, 'card_expiry', end.add({ hours: 48 }))
  const types = (await fixture.eventsOf(caller, card.id)).map(({ type }) => type)
  expect(types).toEqual(['card.linked', 'card.status_changed', 'card.authorization.declined'])
})

test('two concurrent runs of the expiry job write one event', async () => {
  const caller = await newBusiness()
  await fixture.freezeClock(caller, '2026-11-01T04:00:00Z')
  const card = await fixture.issueActive(caller)
  const node = await adminOf(fixture, caller.businessId)
  const until = Temporal.Instant.from('2029-12-01T00:00:00Z')
  await node.query('begin')
  await node.query('select from card_usage where card_id = $1 for update', [card.id])
  const runs = [1, 2].map(() => fixture.runJob(caller, 'card_expiry', until))
  await untilWaiting(node, 2)
  await node.query('commit')
  await Promise.all(runs)
  const types = (await fixture.eventsOf(caller, card.id)).map(({ type }) => type)
  expect(types).toEqual(['card.linked', 'card.status_changed'])
})

// Proves reference/conventions#lists.
test('cards are listed newest first, page by page', async () => {
  const caller = await newBusiness()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.unshift((await issue(caller)).id)
  const first = await cards.page(caller, undefined, readPage('cards', { limit: 3 }))
  const second = await cards.page(caller, undefined, readPage('cards', { offset: 3, limit: 3 }))
  expect([...first.cards, ...second.cards].map((card) => card.id)).toEqual(ids)
  expect([first.page.has_more, second.page.has_more]).toEqual([true, false])
})

// Proves reference/cards#listing.
test('cards are filtered by user, status and last digits', async () => {
  const caller = await newBusiness()
  const pooled = await issue(caller)
  const active = await issueActive(caller)
  const list = async (filter: string) =>
    (await cards.page(caller, filter, readPage('cards', {}))).cards.map(({ id }) => id)
  const last4 = active.last_4_digits
  expect(await list(`p_user_id = "user-*"`)).toEqual([active.id])
  expect(await list('p_user_id = "nobody"')).toEqual([])
  expect(await list('status = Active')).toEqual([active.id])
  expect(await list('NOT p_user_id:*')).toEqual([pooled.id])
  expect(await list(`last_4_digits = "${last4}"`)).toContain(active.id)
})

// Proves reference/access#tenants.
test("another business's card is not found", async () => {
  const card = await issueActive(await newBusiness())
  const stranger = await newBusiness()
  const notFound = { reason: 'card_not_found' }
  await expect(cards.byId(stranger, card.id)).rejects.toMatchObject(notFound)
  await expect(cards.edit(stranger, card.id, { title: 'x' })).rejects.toMatchObject(notFound)
  await expect(fixture.authorize(stranger, card.id, '1')).rejects.toMatchObject(notFound)
  await expect(
    cards.authorizations(stranger, card.id, readPage('card_authorizations', { limit: 1 })),
  ).rejects.toMatchObject(notFound)
  await expect(cards.capture(stranger, newId('auth'), {})).rejects.toMatchObject({
    reason: 'authorization_not_found',
  })
})
