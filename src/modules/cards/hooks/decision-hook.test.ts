import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { ReplayedAnswer } from '#platform/http/routes/replayed-answer'
import { withKey } from '#platform/testing/caller'
import { startReceiver } from '#platform/testing/receiver'
import { Cards } from '../cards.ts'
import { rewrapHookSecret } from '../cards/rewrap.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { authorize, cards, issueActive, newBusiness, authorizationIn, used } = fixture

/** The business's own server; what it does with a question is set by each test. */
let answer: (response: ServerResponse) => void = (response) => response.end('{"approved":true}')
const hookServer = await startReceiver((_message, response) => answer(response))
const { received: asked } = hookServer
const url = `${hookServer.url}/decide`

async function withHook(onSilence: 'approve' | 'decline', timeoutMs = 500) {
  const caller = await newBusiness()
  const card = await issueActive(caller, {
    limits: [{ period: 'Lifetime', limit_amount: '100' }],
    spending_controls: { count_limits: [{ period: 'Lifetime', count: 2 }] },
  })
  const { decision_hook: hook } = (await cards.putHook(caller, {
    url,
    timeout_ms: timeoutMs,
    on_silence: onSilence,
  })) as { decision_hook: { secret: string } }
  return { caller, card, secret: hook.secret }
}

async function lastEvent(caller: Caller, cardId: string) {
  return (await fixture.eventsOf(caller, cardId)).at(-1)
}

test('a hook that approves confirms the hold; it was asked with a signature that Standard Webhooks verify', async () => {
  answer = (response) => response.end('{"approved":true}')
  const { caller, card, secret } = await withHook('decline')
  asked.length = 0
  const approved = await authorize(caller, card.id, '40', { reference_id: 'r' })
  expect(approved).toMatchObject({ state: 'pending', approved: true, held_amount: '40.00' })
  expect(asked).toHaveLength(1)
  const [question] = asked
  const verified = new Webhook(secret).verify(question?.text ?? '', question?.headers ?? {})
  expect(verified).toMatchObject({
    type: 'card.authorization.request',
    authorization: { uuid: approved.uuid, amount: '40.00', held_amount: '40.00', approved: false },
  })
  expect(await authorize(caller, card.id, '40', { reference_id: 'r' })).toEqual(approved)
  expect(asked).toHaveLength(1)
  expect(await lastEvent(caller, card.id)).toMatchObject({
    type: 'card.authorization.approved',
    data: { authorization: approved },
  })
  expect(await fixture.breaches(caller)).toEqual([])
})

test("a repeated registration answers the same secret, which no table holds in the clear; a change's shows none", async () => {
  const caller = await newBusiness()
  const hook = { url, timeout_ms: 500, on_silence: 'decline' } as const
  const replayOf = async (key: string) => {
    const replay = await cards.putHook(withKey(caller, key), hook).catch((error: unknown) => error)
    expect(replay).toBeInstanceOf(ReplayedAnswer)
    return (JSON.parse((replay as ReplayedAnswer).body) as { data: unknown }).data
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

test('a hook that declines releases the hold and its count', async () => {
  answer = (response) => response.end('{"approved":false}')
  const { caller, card } = await withHook('approve')
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

test('what the card itself declines is not asked about', async () => {
  const { caller, card } = await withHook('approve')
  asked.length = 0
  expect((await authorize(caller, card.id, '101')).decline_reason).toBe('limit_exceeded_lifetime')
  expect(asked).toHaveLength(0)
})

test.each([
  ['silence', () => {}],
  ['an error', (response: ServerResponse) => void response.writeHead(500).end('{"approved":true}')],
  ['a redirect', (response: ServerResponse) => void response.writeHead(302, { location: url }).end()],
  ['no JSON', (response: ServerResponse) => void response.end('yes')],
  ['no decision', (response: ServerResponse) => void response.end('{"approved":"true"}')],
])('%s means what was configured', async (_what, answered) => {
  answer = answered
  const approving = await withHook('approve', 100)
  expect((await authorize(approving.caller, approving.card.id, '1')).approved).toBe(true)
  const declining = await withHook('decline', 100)
  expect((await authorize(declining.caller, declining.card.id, '1')).decline_reason).toBe('hook_declined')
})

test('the hold stands while the hook is asked: others see it, the same reference waits, nothing captures it', async () => {
  const arrived = Promise.withResolvers<ServerResponse>()
  answer = (response) => arrived.resolve(response)
  const { caller, card } = await withHook('decline', 2_000)
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

test('after a crash due work applies what silence means, once', async () => {
  for (const onSilence of ['approve', 'decline'] as const) {
    const { caller, card } = await withHook(onSilence)
    // A process that asks, and dies before the answer.
    const asking = Promise.withResolvers<void>()
    const dying = new Cards({
      ...fixture.deps,
      egress: {
        checkUrl: () => undefined,
        post: () => {
          asking.resolve()
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
    await asking.promise
    expect(await used(caller, card.id)).toEqual({ Lifetime: '60.00' })
    expect(await fixture.runJob(caller, 'card_hook_timeout', realClock.now())).toBe(0)
    // A clock that is moved meanwhile takes nothing from a hold that may yet be approved.
    await fixture.runJob(caller, 'card_hold_expiry', realClock.now().add({ hours: 24 * 8 }))
    expect(await used(caller, card.id)).toEqual({ Lifetime: '60.00' })
    expect(await fixture.breaches(caller)).toEqual([])
    const later = realClock.now().add({ seconds: 4 })
    expect(await fixture.runJob(caller, 'card_hook_timeout', later)).toBe(1)
    expect(await authorize(caller, card.id, '60', { reference_id: 'r' })).toMatchObject(
      onSilence === 'approve'
        ? { state: 'pending', approved: true }
        : { state: 'declined', decline_reason: 'hook_declined' },
    )
    expect(await used(caller, card.id)).toEqual({ Lifetime: onSilence === 'approve' ? '60.00' : '0.00' })
    expect(await fixture.breaches(caller)).toEqual([])
  }
})

test('an answer that comes after its silence was taken changes nothing', async () => {
  const arrived = Promise.withResolvers<ServerResponse>()
  answer = (response) => arrived.resolve(response)
  const { caller, card } = await withHook('decline', 2_000)
  const waiting = authorize(caller, card.id, '60')
  const response = await arrived.promise
  await fixture.runJob(caller, 'card_hook_timeout', realClock.now().add({ minutes: 1 }))
  response.end('{"approved":true}')
  expect(await waiting).toMatchObject({ state: 'declined', decline_reason: 'hook_declined' })
  expect(await fixture.breaches(caller)).toEqual([])
})

test('an Idempotency-Key is answered with the final decision', async () => {
  answer = (response) => response.end('{"approved":false}')
  const { caller, card } = await withHook('approve')
  const keyed = withKey(caller, newId('key'))
  const declined = await authorize(keyed, card.id, '1')
  const replayed = await authorize(keyed, card.id, '1').catch((error: unknown) => error)
  expect(replayed).toMatchObject({ status: 200 })
  expect(JSON.parse((replayed as { body: string }).body)).toMatchObject({ data: { authorization: declined } })
})

test('the secret is shown when it is made; a change keeps it, and a removed hook is not asked', async () => {
  answer = (response) => response.end('{"approved":false}')
  const { caller, card, secret } = await withHook('approve')
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const shownHook = { url, timeout_ms: 500, on_silence: 'approve' }
  expect(await cards.getHook(caller)).toEqual({ decision_hook: shownHook })
  expect(await cards.putHook(caller, { url, on_silence: 'decline' })).toEqual({
    decision_hook: { url, timeout_ms: 2_000, on_silence: 'decline' },
  })
  fixture.rotateKeys()
  expect(await rewrapHookSecret(fixture.db, fixture.deps.keyring)(caller.businessId)).toBe(1)
  asked.length = 0
  await authorize(caller, card.id, '1')
  expect(() => new Webhook(secret).verify(asked[0]?.text ?? '', asked[0]?.headers ?? {})).not.toThrow()
  await cards.removeHook(caller)
  expect((await authorize(caller, card.id, '1')).approved).toBe(true)
  await expect(cards.getHook(caller)).rejects.toMatchObject({ reason: 'decision_hook_not_found' })
  await expect(cards.removeHook(caller)).rejects.toMatchObject({ reason: 'decision_hook_not_found' })
})

test('confirmed holds are captured and expire like any other', async () => {
  answer = (response) => response.end('{"approved":true}')
  const { caller, card } = await withHook('decline')
  const one = await authorize(caller, card.id, '10')
  expect(await authorizationIn(cards.capture(caller, one.uuid, {}))).toMatchObject({ state: 'captured' })
  await authorize(caller, card.id, '10')
  expect(await fixture.runJob(caller, 'card_hold_expiry', realClock.now().add({ hours: 169 }))).toBe(1)
  expect(await used(caller, card.id)).toEqual({ Lifetime: '10.00' })
})

test('two keys of the same reference at the same time are both answered with the one decision', async () => {
  answer = (response) => void setTimeout(() => response.end('{"approved":true}'), 100)
  const { caller, card } = await withHook('decline')
  // One goes ahead alone, so that the others wait and are decided together.
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
