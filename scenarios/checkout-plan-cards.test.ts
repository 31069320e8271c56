import { expect, test } from 'vitest'
import { monthly, PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'

const { client } = await startScenario()
const BECOMES_DEFAULT = 'charges your coming payments to it'

async function latePlan() {
  const item = await client.createItem(80)
  const { uuid } = await client.createCustomer()
  await client.bindCard(uuid, '4000000000000341', { default: true })
  const { id } = await client.createPlan({
    customer_uuid: uuid,
    recurring_cycles: monthly(item),
  })
  return { uuid, id }
}

async function payAndSave(link: string, page: string, number: string): Promise<void> {
  const attempt = /name="attempt" value="([\w-]+)"/.exec(page)?.[1] ?? ''
  const card = { method: 'credit_card', number, expiry: '12/49', cvc: '123', name: 'CHAN TAI MAN' }
  const sent = await fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ ...card, attempt, save: 'yes' }),
  })
  expect(sent.status).toBe(200)
}

async function defaultCard(uuid: string): Promise<string | undefined> {
  const { payment_tokens: tokens } = await client.ok('GET', `${PAYMENTS}/customers/${uuid}/payment_tokens`)
  return tokens.find((token: { default: boolean }) => token.default)?.credit_card.number
}

// Proves reference/pages#payment-page, reference/customers#default-token, reference/recurring#uncollectible.
test.each([
  ['past_due', 'PT1M'],
  ['uncollectible', 'P7D'],
])('a card that is saved with an order of a plan that is %s becomes the default', async (state, after) => {
  const { uuid, id } = await latePlan()
  await client.advanceBy(after)
  const late = await client.getPlan(id)
  expect(late.state).toBe(state)
  const page = await (await fetch(late.current_payment_link)).text()
  expect(page).toContain(BECOMES_DEFAULT)
  await payAndSave(late.current_payment_link, page, '5555555555554444')
  expect(await defaultCard(uuid)).toBe('555555******4444')
  expect((await client.getPlan(id)).state).toBe('active')
  await client.advanceBy('P32D')
  expect((await client.getPlan(id)).state).toBe('active')
})

test('a card that is saved with another order leaves the default as it is, and the page says nothing of it', async () => {
  const { uuid } = await latePlan()
  const { order, payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders?with_payment_link=true`, {
    order: { reference_number: 'beside-the-plan', currency: 'HKD', initial_total: 10, customer_uuid: uuid },
  })
  const page = await (await fetch(link)).text()
  expect(page).toContain('name="save"')
  expect(page).not.toContain(BECOMES_DEFAULT)
  await payAndSave(link, page, '5555555555554444')
  expect((await client.checkOrder(order.number)).state).toBe('completed')
  expect(await defaultCard(uuid)).toBe('400000******0341')
})
