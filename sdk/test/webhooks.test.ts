import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts'

const SECRET = `whsec_${btoa('a secret of thirty-two characters')}`
const BODY =
  '{"type":"order.paid","timestamp":"2026-01-01T00:00:00.000Z","data":{"order":{"initial_total":90071992547409.93}},"sequence":2,"object_id":"ord_1"}'

function signed(body: string, { secret = SECRET, at = new Date() } = {}) {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  }
}

test('a message signed by the Standard Webhooks library is verified, with its id and exact amounts', async () => {
  expect(await verifyWebhook(BODY, signed(BODY), SECRET)).toEqual({
    ...(JSON.parse(BODY) as object),
    id: 'evt_1',
    data: { order: { initial_total: '90071992547409.93' } },
  })
})

test('headers may be of fetch or of Node, and the body bytes', async () => {
  const headers = signed(BODY)
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  )
  const bytes = new TextEncoder().encode(BODY)
  for (const form of [headers, upper, new Headers(headers)]) {
    expect((await verifyWebhook(bytes, form, SECRET)).type).toBe('order.paid')
  }
})

test('any body is verified as the library signs it, and none that differs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), async (one, other) => {
      const body = JSON.stringify({ data: one })
      expect(await verifyWebhook(body, signed(body), SECRET)).toEqual({ id: 'evt_1', data: one })
      if (one !== other) {
        await expect(verifyWebhook(JSON.stringify({ data: other }), signed(body), SECRET)).rejects.toThrow(
          WebhookVerificationError,
        )
      }
    }),
    { numRuns: 50 },
  )
})

test('after a rotation one of two signatures is enough', async () => {
  const before = signed(BODY, { secret: `whsec_${btoa('the secret before the rotation')}` })
  const both = `${before['webhook-signature']} v2,abc v1,not!base64 ${signed(BODY)['webhook-signature']}`
  const headers = { ...signed(BODY), 'webhook-signature': both }
  expect((await verifyWebhook(BODY, headers, SECRET)).type).toBe('order.paid')
  await expect(verifyWebhook(BODY, before, SECRET)).rejects.toThrow('No webhook-signature is of this body')
})

test('a message that is too old or too new is refused, and the tolerance can be chosen', async () => {
  for (const ms of [-310_000, 310_000]) {
    const headers = signed(BODY, { at: new Date(Date.now() + ms) })
    await expect(verifyWebhook(BODY, headers, SECRET)).rejects.toThrow('webhook-timestamp is too far')
    expect(await verifyWebhook(BODY, headers, SECRET, { toleranceSeconds: 400 })).toMatchObject({
      id: 'evt_1',
    })
  }
  for (const timestamp of ['soon', '', '1e9', 'NaN']) {
    const headers = { ...signed(BODY), 'webhook-timestamp': timestamp }
    await expect(verifyWebhook(BODY, headers, SECRET)).rejects.toThrow(WebhookVerificationError)
  }
})

test('a missing header and an invalid secret are named', async () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    await expect(verifyWebhook(BODY, { ...signed(BODY), [name]: undefined }, SECRET)).rejects.toThrow(name)
  }
  for (const secret of ['', 'whsec_', 'whsec_ü']) {
    await expect(verifyWebhook(BODY, signed(BODY), secret)).rejects.toThrow('secret must be')
  }
})
