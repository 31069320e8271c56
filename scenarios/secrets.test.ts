import { expect, test } from 'vitest'
import { runCommand } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'

const { client, service } = await startScenario()

const PAYMENTS = '/svc/payment/api/v1/openapi'

test('a card is bound once under an Idempotency-Key, also when the encryption key was rotated in between', async () => {
  const customer = await client.createCustomer()
  const bind = (number: string) =>
    client.call(
      'POST',
      `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`,
      {
        payment_token: {
          token_type: 'CreditCard',
          credit_card: {
            number,
            exp_month: '12',
            exp_year: '2049',
            cvc: '123',
            holder_name: 'CHAN TAI MAN',
            billing_currency: 'HKD',
          },
        },
      },
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
