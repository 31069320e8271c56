import { expect, test } from 'vitest'
import { Egress } from '#platform/security/egress'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { withKey } from '#platform/testing/requests'
import { MAX_ENDPOINTS, secretBinding } from '../model/endpoint.ts'
import { rewrapEndpointSecrets } from './rewrap.ts'
import { createFixture } from '../testing/fixture.ts'

const guarded = await createFixture({ egress: new Egress({ allowPrivate: false }) })
const { webhooks, register } = guarded
const firstPage = { list: 'endpoints', offset: 0, limit: 100, after: undefined }

// Proves reference/events#endpoints, reference/events#receiver-addresses, reference/events#secrets.

test('a URL whose host is a private address or localhost is refused with 422', async () => {
  const { caller } = await guarded.business()
  for (const url of [
    'http://127.0.0.1/x',
    'https://[::ffff:10.0.0.1]/',
    'http://localhost:3000',
    'http://0x7f.1',
  ]) {
    await expect(register(caller, url)).rejects.toMatchObject({
      status: 422,
      reason: 'url_not_allowed',
      definition: { recommendedAction: expect.stringContaining('quittance listen') as string },
      detail: { param: 'endpoint.url' },
    })
  }
  expect((await webhooks.endpoints(caller, undefined, firstPage)).endpoints).toEqual([])
})

test('the list shows the newest endpoint first and no secrets', async () => {
  const { caller } = await guarded.business()
  const first = await register(caller, 'https://one.example.com/', ['order.paid', 'order.paid'])
  const second = await register(caller, 'https://two.example.com/')
  const { endpoints } = await webhooks.endpoints(caller, undefined, firstPage)
  expect(endpoints).toMatchObject([
    { id: second.id, url: 'https://two.example.com/', types: [], state: 'active' },
    { id: first.id, types: ['order.paid'] },
  ])
  expect(JSON.stringify(endpoints)).not.toContain('whsec_')
})

test('the list is filtered by id, URL and state', async () => {
  const { caller } = await guarded.business()
  const first = await register(caller, 'https://one.example.com/')
  const second = await register(caller, 'https://two.example.com/')
  const found = async (filter: string) =>
    (await webhooks.endpoints(caller, filter, firstPage)).endpoints.map(({ id }) => id)
  expect(await found(`id = ${first.id}`)).toEqual([first.id])
  expect(await found('url : TWO')).toEqual([second.id])
  expect(await found('state = active')).toEqual([second.id, first.id])
  expect(await found('state = disabled')).toEqual([])
  await expect(found('secret = x')).rejects.toMatchObject({ status: 400, reason: 'invalid_filter' })
})

test('a business cannot find the endpoints and deliveries of another', async () => {
  const { caller } = await guarded.business()
  const other = await guarded.business()
  const endpoint = await register(caller, 'https://one.example.com/')
  await expect(webhooks.deleteEndpoint(other.caller, endpoint.id)).rejects.toMatchObject({ status: 404 })
  await expect(webhooks.rotateSecret(other.caller, endpoint.id)).rejects.toMatchObject({ status: 404 })
  await expect(webhooks.redeliver(other.caller, 'dlv_x')).rejects.toMatchObject({ status: 404 })
  expect((await webhooks.endpoints(other.caller, undefined, firstPage)).endpoints).toEqual([])
})

test('a business has at most a hundred endpoints, also when it registers them concurrently', async () => {
  const { caller } = await guarded.business()
  const results = await Promise.allSettled(
    Array.from({ length: MAX_ENDPOINTS + 5 }, (_, index) =>
      register(caller, `https://${index}.example.com/`),
    ),
  )
  const refused = results.flatMap((result) => (result.status === 'rejected' ? (result.reason as object) : []))
  expect(refused).toHaveLength(5)
  for (const error of refused) expect(error).toMatchObject({ status: 422, reason: 'too_many_endpoints' })
})

test('a second active endpoint of one URL that takes the same events is refused with the id of the first', async () => {
  const { caller } = await guarded.business()
  const paid = await register(caller, 'https://one.example.com/hook', ['order.paid', 'order.voided'])
  for (const [url, types] of [
    ['https://one.example.com/hook', ['order.paid']],
    ['HTTPS://ONE.example.com:443/./hook#part', ['order.created', 'order.voided']],
    ['https://one.example.com/hook', undefined],
  ] as const) {
    await expect(register(caller, url, types)).rejects.toMatchObject({
      status: 409,
      reason: 'endpoint_exists',
      definition: { recommendedAction: expect.stringContaining('rotate_secret') },
      detail: { param: 'endpoint.url', data: { endpoint: { id: paid.id } } },
    })
  }
  await register(caller, 'https://one.example.com/hook', ['order.created'])
  await register(caller, 'https://one.example.com/hook?of=another')
  await register((await guarded.business()).caller, 'https://one.example.com/hook')
})

test('a URL can be registered again once its endpoint is deleted or disabled', async () => {
  const { businessId, caller } = await guarded.business()
  const deleted = await register(caller, 'https://one.example.com/')
  await webhooks.deleteEndpoint(caller, deleted.id)
  const disabled = await register(caller, 'https://one.example.com/')
  await guarded.admin.query(`update webhook_endpoints set state = 'disabled' where business_id = $1`, [
    businessId,
  ])
  const active = await register(caller, 'https://one.example.com/')
  expect(new Set([deleted.id, disabled.id, active.id]).size).toBe(3)
})

test('of ten registrations of one URL at once one succeeds', async () => {
  const { caller } = await guarded.business()
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => register(caller, 'https://one.example.com/')),
  )
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as object] : []))
  expect(refused).toHaveLength(9)
  for (const error of refused) expect(error).toMatchObject({ status: 409, reason: 'endpoint_exists' })
})

test('a replayed creation shows the same secret, which no table holds in plain text', async () => {
  const { caller } = await guarded.business()
  const keyed = withKey(caller, 'k1')
  const created = await register(keyed, 'https://one.example.com/')
  const replay = await register(keyed, 'https://one.example.com/').catch((error: unknown) => error)
  expect(replay).toBeInstanceOf(StoredReply)
  const { status, body } = replay as StoredReply
  expect(status).toBe(200)
  expect((JSON.parse(body) as { data: object }).data).toEqual({ endpoint: created })
  const { rows } = await guarded.admin.query<object>('select body from idempotency_keys')
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('whsec_')
})

test('after a rotation of the encryption key, the new key alone opens both secrets of an endpoint', async () => {
  const { businessId, caller } = await guarded.business()
  const first = await register(caller, 'https://one.example.com/')
  const { endpoint } = await webhooks.rotateSecret(caller, first.id)
  const onlyNewest = guarded.rotateKeys()
  const rewrap = rewrapEndpointSecrets(guarded.db, guarded.keyring)
  expect(await rewrap(businessId)).toBe(1)
  expect(await rewrap(businessId)).toBe(0)
  const { rows } = await guarded.admin.query<{ sealed_secret: string; sealed_previous_secret: string }>(
    'select sealed_secret, sealed_previous_secret from webhook_endpoints where business_id = $1',
    [businessId],
  )
  const open = (sealed = '') => onlyNewest.open(sealed, secretBinding(businessId, first.id))
  expect(open(rows[0]?.sealed_secret)).toBe(endpoint.secret)
  expect(open(rows[0]?.sealed_previous_secret)).toBe(first.secret)
})
