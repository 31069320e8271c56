import { afterAll, expect, test } from 'vitest'
import {
  putFaults,
  SimulatorProcess,
  temporaryDirectory,
} from '../src/modules/acquirers/testing/simulator.ts'
import { Client, monthly } from './harness/client.ts'
import { createBusiness } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'

const books = await temporaryDirectory()
const simulator = await SimulatorProcess.start(books.dir)
afterAll(async () => {
  await simulator.stop('SIGKILL')
  await books.remove()
})
const { service, client } = await startScenario({
  env: { ACQUIRER_TIMEOUT_MS: '14000', SIMULATOR_URL: simulator.url },
})
const others = await Promise.all(Array.from({ length: 6 }, () => createBusiness(service)))
/** More merchants than the job runner runs at a time. */
const merchants = [client, ...others.map((sandbox) => new Client(sandbox))]

const APPROVES = '4242424242424242'
const NEVER_ANSWERED = '4000000000000119'
/** Below the timeout of an acquirer call. */
const SOON = { timeout: 13_000, interval: 50 }

/** Returns what creates the plan, so that a busy machine does all else before the acquirer stops answering. */
async function prepare(merchant: Client, card: string): Promise<() => Promise<string>> {
  const customer = await merchant.createCustomer()
  await merchant.bindCard(customer.uuid, card)
  const recurring_cycles = monthly(await merchant.createItem(100))
  return async () => (await merchant.createPlan({ customer_uuid: customer.uuid, recurring_cycles })).id
}

// Proves reference/payments#unknown-outcomes, reference/recurring#attempts.

test('charges that the acquirer does not answer delay no other plan, in the same business or another', async () => {
  const prepared = (shops: readonly Client[], card: string) =>
    Promise.all(shops.map(async (merchant) => ({ merchant, subscribe: await prepare(merchant, card) })))
  const silent = await prepared(merchants, NEVER_ANSWERED)
  const answered = await prepared([client, new Client(await createBusiness(service))], APPROVES)
  const stuck = await Promise.all(
    silent.map(async ({ merchant, subscribe }) => ({ merchant, id: await subscribe() })),
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
  for (const { merchant, subscribe } of answered) {
    const id = await subscribe()
    await expect.poll(() => paid(merchant, id), SOON).toBe('completed')
  }
  for (const plan of stuck.slice(-3)) expect(await statesOf(plan)).toEqual(['initiated'])
})

test('inquiries that the acquirer does not answer delay no other job', async () => {
  const pay = async (merchant: Client) => {
    const { uuid } = await merchant.createCustomer()
    const { token } = await merchant.bindCard(uuid, APPROVES)
    const { number } = await merchant.createOrder()
    await putFaults(simulator.url, { lose_answer: 1 })
    const { status } = await merchant.pay(number, token)
    await putFaults(simulator.url, {})
    expect(status).toBe(504)
    return { merchant, number }
  }
  const lost = []
  for (const merchant of merchants) lost.push(await pay(merchant))
  await putFaults(simulator.url, { latency_ms: 600_000 })
  const { number } = await client.createOrder({ timeout: { timer: '1' } })
  await expect.poll(async () => (await client.checkOrder(number)).state, SOON).toBe('expired')
  await putFaults(simulator.url, {})
  for (const order of lost) {
    const state = async () => (await order.merchant.checkOrder(order.number)).state
    await expect.poll(state, { interval: 200 }).toBe('completed')
  }
})
