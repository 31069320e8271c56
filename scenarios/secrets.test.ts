import { generateKeyPairSync } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { startReceiver } from '#platform/testing/receiver'
import { cardToBind, PAYMENTS } from './harness/client.ts'
import { liveClient, runCommand } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'

const { client, service } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })

const SIGNING_KEY = '/svc/account/api/v1/openapi/apps/self/signing_key'

// Proves reference/conventions#idempotency, reference/operations#encryption-keys.
test('an Idempotency-Key binds a card once, even if the encryption key is rotated between the requests', async () => {
  const customer = await client.createCustomer()
  const bind = (number: string) =>
    client.call(
      'POST',
      `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`,
      { payment_token: cardToBind(number) },
      { idempotencyKey: 'bind-once' },
    )
  const bound = await bind('4242424242424242')
  expect(bound.status).toBe(200)
  await runCommand(service, ['keys', 'rotate-encryption'])
  const replayed = await bind('4242424242424242')
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  expect(replayed.data).toEqual(bound.data)
  expect(await bind('5555555555554444')).toMatchObject({
    status: 422,
    data: { error: { reason: 'idempotency_key_reused' } },
  })
})

// Proves reference/events#secrets, reference/events#signatures.
test('after the rotation of a webhook secret, a running service signs with the old and the new secret', async () => {
  const { url, received } = await startReceiver()
  const { sandbox } = client
  /** Returns the secrets that verify the next event. */
  const verifyingSecrets = async (...secrets: string[]): Promise<string[]> => {
    received.length = 0
    await client.createOrder({ notify_url: url })
    await expect.poll(() => received.length).toBe(1)
    return secrets.filter((secret) => {
      try {
        const [message] = received
        return Boolean(new Webhook(secret).verify(message?.text ?? '', message?.headers ?? {}))
      } catch {
        return false
      }
    })
  }
  const rotate = async () => {
    const args = ['businesses', 'rotate-webhook-secret', '--code', sandbox.customer_code, '--env', 'test']
    const { webhook_secret } = await runCommand<{ webhook_secret: string }>(service, args)
    return webhook_secret
  }
  const first = sandbox.webhook_secret
  expect(await verifyingSecrets(first)).toEqual([first])
  const second = await rotate()
  expect(await verifyingSecrets(first, second)).toEqual([first, second])
  const third = await rotate()
  expect(await verifyingSecrets(first, second, third)).toEqual([second, third])
})

// Proves reference/access#signed-requests, reference/access#public-keys, reference/operations#command-line.
test('the operator removes the signing key of an app in one environment, and the other environment keeps its key', async () => {
  const live = await liveClient(service)
  const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  for (const environment of [client, live]) await environment.ok('PUT', SIGNING_KEY, { key })
  const refused = { status: 401, data: { error: { reason: 'signature_required' } } }
  expect(await client.call('DELETE', SIGNING_KEY)).toMatchObject(refused)
  const args = ['keys', 'remove-signing-key', '--app', client.sandbox.app_id, '--env', 'test']
  expect(await runCommand(service, args)).toEqual({
    app_id: client.sandbox.app_id,
    environment: 'test',
    removed: true,
  })
  expect(await client.call('GET', SIGNING_KEY)).toMatchObject({
    status: 404,
    data: { error: { reason: 'signing_key_not_found' } },
  })
  expect(await live.call('GET', SIGNING_KEY)).toMatchObject(refused)
})
