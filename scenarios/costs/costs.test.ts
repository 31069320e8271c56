import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '#platform/testing/receiver'
import { eventually } from '#platform/testing/until'
import { startAnvil } from '../../src/modules/wallets/testing/anvil.ts'
import { walletSettings } from '../harness/chains.ts'
import { PAYMENTS } from '../harness/client.ts'
import {
  DELIVERY,
  DEPOSIT,
  compareCosts,
  type CostTable,
  readCostTable,
  writeCostTable,
} from './cost-table.ts'
import { startMeasuredService } from './measured-service.ts'

const REPETITIONS = 200
/** For work that needs payments or plans to be made before. */
const FEWER = 100
/** The first requests compile code and statements. */
const WARM_UP = 60
const CARDS = '/svc/ts/api/v1/openapi/cards'
const WALLETS = '/svc/ts/api/v1/openapi/digital_wallets'

const isRewriting = process.env['COSTS'] === 'write'
const anvil = await startAnvil()
const chain = await walletSettings(anvil.url)
const service = await startMeasuredService(chain)
const table = await readCostTable()
const measured: CostTable = {}
const { client } = service

const customer = await client.createCustomer({ email: 'amy@example.com' })
const { token } = await client.bindCard(customer.uuid, '4242424242424242')
const poorCustomer = await client.createCustomer()
const poor = await client.bindCard(poorCustomer.uuid, '4000000000009995')

async function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  while (results.length < count) results.push(await work())
  return results
}

const createOrder = () => client.createOrder({ customer_uuid: customer.uuid })

async function createPaid(type = 'Sales'): Promise<{ number: string; uuid: string }> {
  const { number } = await createOrder()
  const { data } = await client.pay(number, token, { type })
  return { number, uuid: data.transaction.uuid }
}

/** Runs the work once for each input. */
async function holds<T>(
  way: string,
  inputs: readonly T[],
  work: (input: T) => Promise<unknown>,
): Promise<void> {
  await holdsTogether(way, inputs.length, async () => {
    for (const input of inputs) await work(input)
  })
}

async function holdsTogether(way: string, repetitions: number, work: () => Promise<unknown>): Promise<void> {
  const measurement = await service.measure(repetitions, work)
  measured[way] = measurement.costs
  if (isRewriting) return
  const difference = compareCosts(way, table[way], measurement)
  expect.soft(difference, difference).toBe('')
}

const operate = (path: string) => (uuid: string) =>
  client.ok('POST', `${PAYMENTS}/transactions/${path}`, { transaction: { uuid } })

beforeAll(async () => {
  for (const { number } of await times(WARM_UP, () => createPaid())) await client.checkOrder(number)
})

afterAll(async () => {
  await anvil.stop()
  if (isRewriting) await writeCostTable(measured)
})

test('an order costs what bench/costs.json says', async () => {
  await holds('order create', Array.from({ length: REPETITIONS }), createOrder)
})

test('a payment and a check of its order cost what bench/costs.json says', async () => {
  const orders = await times(REPETITIONS, createOrder)
  await holds('order pay', orders, ({ number }) => client.pay(number, token))
  await holds('order check', orders, ({ number }) => client.checkOrder(number))
})

test('a declined payment costs what bench/costs.json says', async () => {
  const orders = await times(FEWER, () => client.createOrder({ customer_uuid: poorCustomer.uuid }))
  await holds('order pay, declined', orders, async ({ number }) => {
    expect(await client.pay(number, poor.token)).toMatchObject({ status: 402 })
  })
})

test('a capture and its refund cost what bench/costs.json says', async () => {
  const authorized = await times(FEWER, () => createPaid('Authorization'))
  const captures: string[] = []
  await holds('capture', authorized, async ({ uuid }) => {
    const { transaction } = await operate('capture')(uuid)
    captures.push(transaction.uuid)
  })
  await holds('refund', captures, operate('refund'))
})

test('a void costs what bench/costs.json says', async () => {
  const paid = await times(FEWER, () => createPaid())
  await holds('void', paid, ({ uuid }) => operate('void')(uuid))
})

test('a list and a search cost what bench/costs.json says', async () => {
  const repeated = Array.from({ length: FEWER })
  await holds('list', repeated, () =>
    client.ok('GET', `${PAYMENTS}/transactions?limit=20&filter=${encodeURIComponent('state = succeeded')}`),
  )
  await holds('search', repeated, () => client.ok('GET', '/svc/search/api/v1/openapi/search?query=chan'))
})

test('a decision of a card and its capture cost what bench/costs.json says', async () => {
  const { card } = await client.ok('POST', CARDS, {
    card: {
      reference_id: 'costs',
      type: 'virtual',
      settlement_currency: 'HKD',
      mode: 'B2C',
      limits: ['Daily', 'Monthly', 'Lifetime', 'Transaction'].map((period) => ({
        period,
        limit_amount: '1000000',
      })),
    },
  })
  await client.ok('POST', `${CARDS}/link`, { card_reference_id: 'costs', p_user_id: 'user-1' })
  const decided: { uuid: string; approved: boolean }[] = []
  await holds('card decision', Array.from({ length: REPETITIONS }), async () => {
    const { authorization } = await client.ok('POST', `${CARDS}/${card.id}/authorizations`, {
      authorization: {
        amount: '12.50',
        currency: 'HKD',
        merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
        reference_id: randomUUID(),
      },
    })
    decided.push(authorization)
  })
  expect(decided.every(({ approved }) => approved)).toBe(true)
  await holds('card capture', decided, ({ uuid }) =>
    client.ok('POST', `${CARDS}/authorizations/${uuid}/capture`, { amount: '12.50' }),
  )
})

const BILLED = 'plan billed and charged'
const BILLED_WITH_RECEIPT = `${BILLED}, with a receipt`
const MESSAGE_SETTINGS = '/svc/billing/api/v1/openapi/message_settings'

test.each([
  [BILLED, customer.uuid],
  ["plan's attempt failed", poorCustomer.uuid],
  [BILLED_WITH_RECEIPT, customer.uuid],
])('%s costs what bench/costs.json says', async (way, customerUuid) => {
  const enabled = way === BILLED_WITH_RECEIPT ? ['receipt'] : []
  await client.ok('PUT', MESSAGE_SETTINGS, { message_settings: { enabled } })
  const item = await client.createItem(250)
  const startAt = (await client.now()).add({ hours: 1 })
  await times(FEWER, () =>
    client.createPlan({
      reference_number: `plan-${randomUUID()}`,
      customer_uuid: customerUuid,
      start_date: startAt.toString(),
      recurring_cycles: [
        {
          recurring_billing_config: 'FREQ=MONTHLY',
          billing_count: null,
          recurring_items: [{ recurring_item_id: item, quantity: 1 }],
        },
      ],
    }),
  )
  await holdsTogether(way, FEWER, () => client.advanceTo(startAt.toString()))
  await client.ok('PUT', MESSAGE_SETTINGS, { message_settings: { enabled: [] } })
})

// Proves reference/messages#kinds.
test('a billing run with receipts costs at most a tenth more than without', () => {
  const [without, withReceipt] = [measured[BILLED], measured[BILLED_WITH_RECEIPT]]
  expect(withReceipt?.rows['messages']).toEqual({ inserted: 1 })
  for (const count of ['statements', 'wal_bytes', 'allocated_kilobytes'] as const) {
    expect.soft(Number(withReceipt?.[count]) / Number(without?.[count]), count).toBeLessThan(1.1)
  }
})

test('a deposit costs what bench/costs.json says', async () => {
  const { digital_wallet: wallet } = await client.ok('POST', WALLETS, {
    digital_wallet: { p_user_id: 'user-1' },
  })
  const worker = await service.startWorker(chain)
  onTestFinished(() => void worker.kill('SIGKILL'))
  const deposit = () =>
    anvil.send({
      from: anvil.accounts[0],
      to: wallet.addresses[0].address,
      value: '0x2386f26fc10000',
    })
  const available = () =>
    service.numberOf(`select balance::float8 from wallet_accounts where kind = 'available' and balance > 0`)
  await deposit()
  await anvil.mine(2)
  const one = await eventually(available, (balance) => balance > 0)
  await holdsTogether(DEPOSIT, FEWER, async () => {
    worker.kill('SIGSTOP')
    await times(FEWER, deposit)
    await anvil.mine(2)
    worker.kill('SIGCONT')
    await eventually(available, (balance) => Math.round(balance / one) > FEWER)
  })
})

test('a delivery costs what bench/costs.json says', async () => {
  const receiver = await startReceiver()
  await client.ok('POST', '/svc/event/api/v1/openapi/endpoints', { endpoint: { url: receiver.url } })
  const worker = await service.startWorker()
  await createOrder()
  await eventually(
    () => receiver.received.length,
    (count) => count > 0,
  )
  await service.untilQuiet()
  worker.kill('SIGSTOP')
  onTestFinished(() => void worker.kill('SIGCONT'))
  await holds('order create, with an endpoint', Array.from({ length: REPETITIONS }), createOrder)
  const before = receiver.received.length
  await holdsTogether(DELIVERY, REPETITIONS, async () => {
    worker.kill('SIGCONT')
    await eventually(
      () => receiver.received.length - before,
      (count) => count >= REPETITIONS,
    )
  })
})
