import { expect, test } from 'vitest'
import { Client } from './harness/client.ts'
import { createBusiness } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'

const { service, client } = await startScenario({ env: { ACQUIRER_TIMEOUT_MS: '14000' } })

const APPROVES = '4242424242424242'
const NEVER_ANSWERED = '4000000000000119'
/** Well within the time for which the service waits for an answer. */
const SOON = { timeout: 9_000, interval: 50 }

async function subscribe(merchant: Client, card: string): Promise<string> {
  const customer = await merchant.createCustomer()
  await merchant.bindCard(customer.uuid, card)
  const plan = await merchant.createPlan({
    customer_uuid: customer.uuid,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: await merchant.createItem(100), quantity: 1 }],
      },
    ],
  })
  return plan.id
}

test('charges that are not answered delay the orders of no other plan, of the same business or another', async () => {
  const others = await Promise.all(Array.from({ length: 6 }, () => createBusiness(service)))
  const merchants = [client, ...others.map((sandbox) => new Client(sandbox))]
  const stuck = await Promise.all(
    merchants.map(async (merchant) => ({ merchant, id: await subscribe(merchant, NEVER_ANSWERED) })),
  )
  const statesOf = async ({ merchant, id }: (typeof stuck)[number]): Promise<string[]> => {
    const { current_order: order } = await merchant.getPlan(id)
    if (order === undefined) return []
    const shown = await merchant.checkOrder(order.order_number)
    return shown.transactions.map(
      (transaction: { payment_data: { transaction_state: string } }) =>
        transaction.payment_data.transaction_state,
    )
  }
  for (const plan of stuck) await expect.poll(() => statesOf(plan), SOON).toEqual(['initiated'])

  const paid = async (merchant: Client, id: string) => (await merchant.getPlan(id)).current_order?.state
  for (const merchant of [client, new Client(await createBusiness(service))]) {
    const id = await subscribe(merchant, APPROVES)
    await expect.poll(() => paid(merchant, id), SOON).toBe('completed')
  }
  for (const plan of stuck.slice(-3)) expect(await statesOf(plan)).toEqual(['initiated'])
})
