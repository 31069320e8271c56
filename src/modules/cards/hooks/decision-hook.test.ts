import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { withKey } from '#platform/testing/requests'
import { startReceiver } from '#platform/testing/receiver'
import { rewrapSecret } from '#platform/idempotency/secret-holder'
import { HOOK_SECRET } from './decision-hook.ts'
import { cardsOf, createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { authorize, cards, issueActive, newBusiness, authorizationIn, used } = fixture

/** The business's server. Each test sets how it responds. */
let respond: (response: ServerResponse) => void = (response) => response.end('{"approved":true}')
const hookServer = await startReceiver((_message, response) => respond(response))
const { received: hookCalls } = hookServer
const url = `${hookServer.url}/decide`

async function createHook(fallback: 'approve' | 'decline', timeoutMs = 500) {
  const caller = await newBusiness()
  const card = await issueActive(caller, {
    limits: [{ period: 'Lifetime', limit_amount: '100' }],
    spending_controls: { count_limits: [{ period: 'Lifetime', count: 2 }] },
  })
  const { decision_hook: hook } = await cards.putHook(caller, {
    url,
    timeout_ms: timeoutMs,
    on_silence: fallback,
  })
  return { caller, card, secret: hook.secret ?? '' }
}

async function lastEvent(caller: Caller, cardId: string) {
  return (await fixture.eventsOf(caller, cardId)).at(-1)
}

// Proves reference/cards#decision-hook.
test('an approving hook confirms the hold, and its call has a valid Standard Webhooks signature', async () => {
  respond = (response) => response.end('{"approved":true}')
  const { caller, card, secret } = await createHook('decline')
  hookCalls.length = 0
  const approved = await authorize(caller, card.id, '40', { reference_id: 'r' })
  expect(approved).toMatchObject({ state: 'pending', approved: true, held_amount: '40.00' })
  expect(hookCalls).toHaveLength(1)
  const [call] = hookCalls
  const verified = new Webhook(secret).verify(call?.text ?? '', call?.headers ?? {})
  expect(verified).toMatchObject({
    type: 'card.authorization.request',
    authorization: { uuid: approved.uuid, amount: '40.00', held_amount: '40.00', approved: false },
  })
  expect(await authorize(caller, card.id, '40', { reference_id: 'r' })).toEqual(approved)
  expect(hookCalls).toHaveLength(1)
  expect(await lastEvent(caller, card.id)).toMatchObject({
    type: 'card.authorization.approved',
    data: { authorization: approved },
  })
  expect(await fixture.breaches(caller)).toEqual([])
})

test('a repeated registration shows the same secret, a change shows none, and no table holds it in the clear', async () => {
  const caller = await newBusiness()
  const hook = { url, timeout_ms: 500, on_silence: 'decline' } as const
  const replayOf = async (key: string) => {
    const replay = await cards.putHook(withKey(caller, key), hook).catch((error: unknown) => error)
    expect(replay).toBeInstanceOf(StoredReply)
    return (JSON.parse((replay as StoredReply).body) as { data: unknown }).data
  }
  const registered = await cards.putHook(withKey(caller, 'first'), hook)
  expect(registered).toMatchObject({ decision_hook: { secret: expect.stringMatching(/^whsec_/) } })
  expect(await replayOf('first')).toEqual(registered)
  const changed = await cards.putHook(withKey(caller, 'second'), hook)
  expect(changed).toEqual({ decision_hook: hook })
  expect(await replayOf('second')).toEqual(changed)
  const { rows } = await fixture.admin.query<object>('select body from idempotency_keys')
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain('whsec_')
})

test('a declining hook releases the hold and its count', async () => {
  respond = (response) => response.end('{"approved":false}')
  const { caller, card } = await createHook('approve')
  for (let i = 0; i < 4; i++) {
    expect(await authorize(caller, card.id, '40')).toMatchObject({
      state: 'declined',
      approved: false,
      decline_reason: 'hook_declined',
      held_amount: '0.00',
    })
  }
  expect(await used(caller, card.id)).toEqual({ Lifetime: '0.00' })
  expect(await lastEvent(caller, card.id)).toMatchObject({ type: 'card.authorization.declined' })
  expect(await fixture.breaches(caller)).toEqual([])
})

test('the hook is not called for an authorization that the card itself declines', async () => {
  const { caller, card } = await createHook('approve')
  hookCalls.length = 0
  expect((await authorize(caller, card.id, '101')).decline_reason).toBe('limit_exceeded_lifetime')
  expect(hookCalls).toHaveLength(0)
})

const FAILING_HOOKS: readonly (readonly [string, string, typeof respond])[] = [
  ['no response in time', 'hook_timeout', () => {}],
  ['half a response in time', 'hook_timeout', (response) => void response.write('{')],
  ['a cut connection', 'hook_error', (response) => void response.destroy()],
  ['an error status', 'hook_error', (response) => void response.writeHead(500).end('{"approved":true}')],
  ['a redirect', 'hook_error', (response) => void response.writeHead(302, { location: '/' }).end()],
  ['a body that is not JSON', 'hook_error', (response) => void response.end('yes')],
  ['a body without a decision', 'hook_error', (response) => void response.end('{"approved":"true"}')],
]

test.each(FAILING_HOOKS)('after %s the fallback decides, and declines as %s', async (_, reason, failing) => {
  respond = failing
  const timeoutMs = reason === 'hook_timeout' ? 100 : undefined
  const approving = await createHook('approve', timeoutMs)
  expect((await authorize(approving.caller, approving.card.id, '1')).approved).toBe(true)
  const declining = await createHook('decline', timeoutMs)
  const { caller, card } = declining
  expect((await authorize(caller, card.id, '1')).decline_reason).toBe(reason)
  expect(await lastEvent(caller, card.id)).toMatchObject({
    data: { authorization: { decline_reason: reason } },
  })
})

test('during the hook call the amount is held, the same reference waits, and the hold cannot be captured', async () => {
  const arrived = Promise.withResolvers<ServerResponse>()
  respond = (response) => arrived.resolve(response)
  const { caller, card } = await createHook('decline', 2_000)
  const first = authorize(caller, card.id, '60', { reference_id: 'r' })
  const response = await arrived.promise
  expect(await used(caller, card.id)).toEqual({ Lifetime: '60.00' })
  expect((await authorize(caller, card.id, '41')).decline_reason).toBe('limit_exceeded_lifetime')
  const again = authorize(caller, card.id, '60', { reference_id: 'r' })
  const { rows } = await fixture.admin.query<{ uuid: string }>(
    "select uuid from card_authorizations where card_id = $1 and state = 'pending'",
    [card.id],
  )
  await expect(cards.capture(caller, rows[0]?.uuid ?? '', {})).rejects.toMatchObject({
    reason: 'authorization_undecided',
  })
  response.end('{"approved":true}')
  expect(await again).toEqual(await first)
  expect((await first).approved).toBe(true)
})

test('after a crash the job applies the fallback once', async () => {
  for (const fallback of ['approve', 'decline'] as const) {
    const { caller, card } = await createHook(fallback)
    const before = realClock.now()
    // This process calls the hook and dies before it records the decision.
    const hookCalled = Promise.withResolvers<void>()
    const dying = cardsOf({
      ...fixture.deps,
      egress: {
        checkUrl: () => undefined,
        post: () => {
          hookCalled.resolve()
          return new Promise(() => {})
        },
      },
    })
    void dying.authorize(caller, card.id, {
      amount: '60',
      currency: 'HKD',
      merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
      reference_id: 'r',
    })
    await hookCalled.promise
    expect(await used(caller, card.id)).toEqual({ Lifetime: '60.00' })
    expect(await fixture.runJob(caller, 'card_hook_timeout', before)).toBe(0)
    // Advancing the clock does not expire a hold that the hook may still approve.
    await fixture.runJob(caller, 'card_hold_expiry', realClock.now().add({ hours: 24 * 8 }))
    expect(await used(caller, card.id)).toEqual({ Lifetime: '60.00' })
    expect(await fixture.breaches(caller)).toEqual([])
    const later = realClock.now().add({ seconds: 4 })
    expect(await fixture.runJob(caller, 'card_hook_timeout', later)).toBe(1)
    expect(await authorize(caller, card.id, '60', { reference_id: 'r' })).toMatchObject(
      fallback === 'approve'
        ? { state: 'pending', approved: true }
        : { state: 'declined', decline_reason: 'hook_timeout' },
    )
    expect(await used(caller, card.id)).toEqual({ Lifetime: fallback === 'approve' ? '60.00' : '0.00' })
    expect(await fixture.breaches(caller)).toEqual([])
  }
})

test('a hook response after the fallback was applied changes nothing', async () => {
  const arrived = Promise.withResolvers<ServerResponse>()
  respond = (response) => arrived.resolve(response)
  const { caller, card } = await createHook('decline', 2_000)
  const waiting = authorize(caller, card.id, '60')
  const response = await arrived.promise
  await fixture.runJob(caller, 'card_hook_timeout', realClock.now().add({ minutes: 1 }))
  response.end('{"approved":true}')
  expect(await waiting).toMatchObject({ state: 'declined', decline_reason: 'hook_timeout' })
  expect(await fixture.breaches(caller)).toEqual([])
})

test('a repeated Idempotency-Key gets the final decision', async () => {
  respond = (response) => response.end('{"approved":false}')
  const { caller, card } = await createHook('approve')
  const keyed = withKey(caller, newId('key'))
  const declined = await authorize(keyed, card.id, '1')
  const replayed = await authorize(keyed, card.id, '1').catch((error: unknown) => error)
  expect(replayed).toMatchObject({ status: 200 })
  expect(JSON.parse((replayed as { body: string }).body)).toMatchObject({ data: { authorization: declined } })
})

test('the secret is shown once, a change keeps it, and a removed hook is not called', async () => {
  respond = (response) => response.end('{"approved":false}')
  const { caller, card, secret } = await createHook('approve')
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const expectedHook = { url, timeout_ms: 500, on_silence: 'approve' }
  expect(await cards.getHook(caller)).toEqual({ decision_hook: expectedHook })
  expect(await cards.putHook(caller, { url, on_silence: 'decline' })).toEqual({
    decision_hook: { url, timeout_ms: 2_000, on_silence: 'decline' },
  })
  fixture.rotateKeys()
  expect(await rewrapSecret(HOOK_SECRET)(fixture.db, fixture.deps.keyring)(caller.businessId)).toBe(1)
  hookCalls.length = 0
  await authorize(caller, card.id, '1')
  expect(() =>
    new Webhook(secret).verify(hookCalls[0]?.text ?? '', hookCalls[0]?.headers ?? {}),
  ).not.toThrow()
  await cards.removeHook(caller)
  expect((await authorize(caller, card.id, '1')).approved).toBe(true)
  await expect(cards.getHook(caller)).rejects.toMatchObject({ reason: 'decision_hook_not_found' })
  await expect(cards.removeHook(caller)).rejects.toMatchObject({ reason: 'decision_hook_not_found' })
})

test('a hold that the hook confirmed is captured and expires like any other', async () => {
  respond = (response) => response.end('{"approved":true}')
  const { caller, card } = await createHook('decline')
  const one = await authorize(caller, card.id, '10')
  expect(await authorizationIn(cards.capture(caller, one.uuid, {}))).toMatchObject({ state: 'captured' })
  await authorize(caller, card.id, '10')
  expect(await fixture.runJob(caller, 'card_hold_expiry', realClock.now().add({ hours: 169 }))).toBe(1)
  expect(await used(caller, card.id)).toEqual({ Lifetime: '10.00' })
})

test('two Idempotency-Keys for one reference both get the one decision', async () => {
  respond = (response) => void setTimeout(() => response.end('{"approved":true}'), 100)
  const { caller, card } = await createHook('decline')
  // The first request runs alone, so that the next two wait and share a batch.
  const ahead = authorize(caller, card.id, '1')
  const both = await Promise.all(
    ['k1', 'k2'].map((key) =>
      authorize(withKey(caller, key), card.id, '2', {
        reference_id: 'same',
      }),
    ),
  )
  expect((await ahead).approved).toBe(true)
  expect(both[0]).toMatchObject({ approved: true })
  expect(both[1]).toEqual(both[0])
  const { rows } = await fixture.admin.query('select status from idempotency_keys where business_id = $1', [
    caller.businessId,
  ])
  expect(rows).toEqual([{ status: 200 }, { status: 200 }])
})
