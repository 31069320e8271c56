import { afterAll, expect, test } from 'vitest'
import {
  card,
  chargeRequest,
  intent,
  INTENT,
  INTENTS,
  lookup,
  paid,
  startDouble,
} from '../airwallex/testing/double.ts'
import { observed } from './statistics.ts'

// Proves reference/acquirers#outcomes.
const double = await startDouble()
const connected = double.connect()
const acquirer = observed(connected, () => {})
afterAll(() => connected.disconnect())

const answers = (confirmed: ReturnType<typeof intent>) => ({
  [`POST ${INTENTS}/create`]: intent('REQUIRES_PAYMENT_METHOD'),
  [`POST ${INTENT}/confirm`]: confirmed,
  [`GET ${INTENT}`]: confirmed,
})
const both = async (confirmed: ReturnType<typeof intent>) => {
  double.answer(answers(confirmed))
  const sale = await acquirer.sale(chargeRequest({ instrument: card }))
  return [sale, await acquirer.inquire(lookup())]
}

test('what an acquirer says can be stored, whatever it is', async () => {
  const attempt = {
    id: `att\0_${'x'.repeat(100_000)}`,
    authorization_code: '\ud800',
    provider_original_response_code: 'y'.repeat(100_000),
  }
  const [sale, inquired] = await both(paid({ latest_payment_attempt: attempt }))
  for (const outcome of [sale, inquired]) {
    expect(outcome).toMatchObject({ kind: 'approved', authCode: '\ufffd', responseCode: 'y'.repeat(500) })
    expect(outcome).toMatchObject({ rrn: `att_${'x'.repeat(495)}` })
  }
})

test.each([
  ['javascript:alert(1)', ''],
  ['JavaScript:alert(1)', ''],
  [' java\nscript:alert(1)', ''],
  ['data:text/html,<script>alert(1)</script>', ''],
  ['https://bank.example/confirm', 'https://bank.example/confirm'],
  ['weixin://wxpay/bizpayurl?pr=1', 'weixin://wxpay/bizpayurl?pr=1'],
])('a payer who is to go to %s is sent to "%s"', async (url, shown) => {
  const action = { next_action: { type: 'redirect', url, qrcode: 'weixin://x' } }
  const [sale, inquired] = await both(intent('REQUIRES_CUSTOMER_ACTION', action))
  for (const outcome of [sale, inquired]) expect(outcome).toMatchObject({ nextAction: { url: shown } })
})
