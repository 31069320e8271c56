import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { type ApiReply, PAYMENTS } from '../harness/client.ts'
import { startScenario } from '../harness/scenario.ts'
import { KINDS, openShop, stateOf } from '../harness/twins.ts'

const { service, databaseUrl } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const shops = await Promise.all(KINDS.map((kind) => openShop(kind, service)))

const SOON = { timeout: 60_000, interval: 200 }

async function noticesOf(accountId: string): Promise<{ count: number; unhandled: number }> {
  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  try {
    const { rows } = await admin.query<{ count: number; unhandled: number }>(
      `select count(*)::int as count, count(due_at)::int as unhandled
         from acquirer_notices where account_id = $1`,
      [accountId],
    )
    return rows[0] ?? { count: 0, unhandled: 0 }
  } finally {
    await admin.end()
  }
}

// Proves reference/payments#unknown-outcomes, reference/payments#two-steps, reference/acquirers#outcomes,
// reference/acquirers#notices, reference/conventions#idempotency.
describe.each(shops)('what the twin of $kind.acquirer does not answer', ({ kind, client, account, bank }) => {
  afterEach(() => bank.twin.setFaults({}))

  const notices = (isOn: boolean, settings = {}) => bank.sendNotices(account, isOn ? settings : { url: '' })

  async function newOrder(): Promise<{ number: string; token: string }> {
    const { customer, token } = await bank.bind(client, account, 'approves')
    const order = await client.createOrder({ customer_uuid: customer.uuid })
    return { number: order.number, token: token.token }
  }

  const payBody = (number: string, token: string) => ({
    order: { number },
    transaction: { type: 'Sales', payment_token: token },
  })

  async function transactionOf(number: string, uuid: string): Promise<ApiReply['data']> {
    const { transactions } = await client.checkOrder(number)
    return transactions.find((each: { uuid: string }) => each.uuid === uuid)
  }

  const FAULTS = ['lose_answer', 'fail_after'] as const

  test.each(
    FAULTS.flatMap((fault) => [
      { fault, by: 'the resolver', hasNotices: false },
      { fault, by: 'the resolver or a notice', hasNotices: true },
    ]),
  )('a sale with $fault is 504, and $by completes it once', async ({ fault, hasNotices }) => {
    await notices(hasNotices)
    const { number, token } = await newOrder()
    await bank.twin.setFaults({ [fault]: 1, match: kind.paths.sale, times: 1 })
    const key = { idempotencyKey: randomUUID() }
    const lost = await client.call('POST', `${PAYMENTS}/orders/pay`, payBody(number, token), key)
    expect([lost.status, stateOf(lost.data.transaction)]).toEqual([504, 'unknown'])
    const { uuid } = lost.data.transaction
    await expect.poll(async () => stateOf(await transactionOf(number, uuid)), SOON).toBe('succeeded')
    expect(await bank.moved(uuid, 'sale')).toEqual(['100.00'])
    const replayed = await client.call('POST', `${PAYMENTS}/orders/pay`, payBody(number, token), key)
    expect(replayed).toMatchObject({
      status: 200,
      data: { order: { state: 'completed', paid_total: '100.00' } },
    })
    expect(await bank.moved(uuid, 'sale')).toEqual(['100.00'])
  })

  test('a sale whose begin was not answered ends, and the order is paid once', async () => {
    await notices(false)
    const { number, token } = await newOrder()
    await bank.twin.setFaults({ lose_answer: 1, match: kind.paths.begin, times: 1 })
    const lost = await client.pay(number, token)
    expect([502, 504]).toContain(lost.status)
    const { uuid } = lost.data.transaction
    const isOpen = async () => (await transactionOf(number, uuid)).is_pending
    await expect.poll(isOpen, SOON).toBe(false)
    const ended = stateOf(await transactionOf(number, uuid))
    const first = await bank.moved(uuid, 'sale')
    expect([ended, first]).toEqual(ended === 'succeeded' ? ['succeeded', ['100.00']] : ['failed', []])
    const again = await client.pay(number, token)
    expect(again.status).toBe(ended === 'succeeded' ? 409 : 200)
    expect(await client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
    // Nothing that was abandoned may move later.
    expect(await bank.moved(uuid, 'sale')).toEqual(first)
  })

  test.each(
    (['capture', 'refund', 'void'] as const).flatMap((action) => FAULTS.map((fault) => ({ action, fault }))),
  )('a $action with $fault is 504 or done, and is booked once', async ({ action, fault }) => {
    await notices(true)
    const { number, token } = await newOrder()
    const type = action === 'refund' ? 'Sales' : 'Authorization'
    const { uuid } = (await client.pay(number, token, { type })).data.transaction
    await bank.twin.setFaults({ [fault]: 1, match: kind.paths[action], times: 1 })
    const lost = await client.call('POST', `${PAYMENTS}/transactions/${action}`, {
      transaction: { uuid },
      ...(action === 'void' ? {} : { amount: 60 }),
    })
    expect([200, 504]).toContain(lost.status)
    const own = lost.data.transaction.uuid as string
    const end = { capture: 'succeeded', refund: 'succeeded', void: 'voided' }[action]
    await expect.poll(async () => stateOf(await transactionOf(number, own)), SOON).toBe(end)
    if (action === 'void') {
      expect(await bank.moved(uuid, 'capture')).toEqual([])
      return
    }
    expect(await bank.moved(own, action)).toEqual(['60.00'])
    const paid = action === 'refund' ? '40.00' : '60.00'
    expect(await client.checkOrder(number)).toMatchObject({ paid_total: paid })
  })

  test('notices that are late, repeated and out of order change nothing that is known', async () => {
    await notices(true, { delay_ms: 300, repeat: 3, shuffle: true })
    const { number, token } = await newOrder()
    const before = await noticesOf(account.id)
    const { uuid } = (await client.pay(number, token)).data.transaction
    const refund = await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
      transaction: { uuid },
      amount: 25,
    })
    await expect
      .poll(async () => {
        const { count, unhandled } = await noticesOf(account.id)
        return count > before.count + 1 && unhandled === 0
      }, SOON)
      .toBe(true)
    const checked = await client.checkOrder(number)
    expect(checked).toMatchObject({ state: 'completed', paid_total: '75.00' })
    expect(checked.transactions.map(stateOf)).toEqual(['succeeded', 'succeeded'])
    const events = await client.events(uuid)
    expect(events.filter(({ type }) => type === 'transaction.succeeded').length).toBeLessThanOrEqual(1)
    expect(await bank.moved(refund.transaction.uuid, 'refund')).toEqual(['25.00'])
  })

  test('a forged notice is refused and stored nowhere', async () => {
    await notices(false)
    await expect.poll(async () => (await noticesOf(account.id)).unhandled, SOON).toBe(0)
    const before = await noticesOf(account.id)
    await notices(true, { secret: kind.forgedSecret })
    const { number, token } = await newOrder()
    expect((await client.pay(number, token)).status).toBe(200)
    const unsigned = await fetch(account.webhookUrl, { method: 'POST', body: '{}' })
    expect(unsigned.status).toBe(400)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect((await noticesOf(account.id)).count).toBe(before.count)
  })
})
