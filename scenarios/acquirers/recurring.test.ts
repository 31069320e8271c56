import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type ApiReply, PAYMENTS } from '../harness/client.ts'
import { startScenario } from '../harness/scenario.ts'
import { KINDS, openShop, stateOf } from '../harness/twins.ts'
import type { Behavior } from '../harness/twin-kind.ts'

const { service } = await startScenario({
  env: { ALLOW_PRIVATE_WEBHOOKS: '1' },
})
const shops = await Promise.all(KINDS.map((kind) => openShop(kind, service)))

const SOON = { timeout: 60_000, interval: 200 }

// Proves reference/recurring#attempts, reference/recurring#retries, reference/recurring#hard-declines,
// reference/recurring#billing-dates, reference/payments#next-actions, reference/acquirers#outages.
describe.each(shops)(
  'recurring payments at the twin of $kind.acquirer',
  ({ kind, client, account, bank }) => {
    afterEach(() => bank.twin.setFaults({}))

    async function subscribe(
      behavior: Behavior,
      plan: Record<string, unknown> = {},
      count: number | null = 1,
    ) {
      const { customer, token } = await bank.bind(client, account, behavior)
      expect(token).toMatchObject({ state: 'active', default: true })
      const created = await client.createPlan({
        reference_number: `plan-${randomUUID()}`,
        customer_uuid: customer.uuid,
        payment_retry_count: 3,
        payment_retry_day_period: 2,
        recurring_cycles: [
          {
            billing_count: count,
            recurring_billing_config: 'FREQ=MONTHLY',
            recurring_items: [{ recurring_item_id: await client.createItem(100), quantity: 1 }],
          },
        ],
        ...plan,
      })
      const orders = () => client.orders(`reference_number:"${created.reference_number}-"`)
      return { customer, token, plan: created, orders }
    }

    async function firstOrder(orders: () => Promise<ApiReply['data'][]>): Promise<ApiReply['data']> {
      await client.advanceBy('PT1M')
      const [order] = await orders()
      return client.checkOrder(order.number)
    }

    async function bindGoodCard(customer: { uuid: string }): Promise<void> {
      const good = await kind.instrument(bank.twin.url, account, customer.uuid, 'approves')
      await client.bind(customer.uuid, { ...good, default: true })
    }

    test('a year is paid without the payer, each order once', async () => {
      const { orders } = await subscribe('approves', {}, 12)
      await client.advanceBy('P370D')
      const billed = await orders()
      expect(billed.map(({ state }) => state)).toEqual(Array(12).fill('completed'))
      for (const { number } of billed) {
        const { transactions } = await client.checkOrder(number)
        const sales = transactions.map(({ uuid }: { uuid: string }) => bank.moved(uuid, 'sale'))
        expect(await Promise.all(sales)).toEqual([['100.00']])
      }
    })

    test('after a soft decline the attempts go on, and a new card pays', async () => {
      const { customer, orders } = await subscribe('soft_decline')
      const { number, transactions } = await firstOrder(orders)
      expect(transactions).toMatchObject([
        { success: false, payment_data: { resp_code: kind.declines.soft_decline[1] } },
      ])
      await client.advanceBy('P2D')
      expect((await client.checkOrder(number)).transactions).toHaveLength(2)
      await bindGoodCard(customer)
      await client.advanceBy('P2D')
      const paid = await client.checkOrder(number)
      expect(paid).toMatchObject({ state: 'completed', paid_total: '100.00' })
      expect(paid.transactions).toHaveLength(3)
    })

    test('after a hard decline the card is not sent again', async () => {
      const { orders, plan } = await subscribe('hard_decline')
      const { number } = await firstOrder(orders)
      await client.advanceBy('P5D')
      const { transactions } = await client.checkOrder(number)
      expect(transactions).toHaveLength(3)
      expect(transactions.map(stateOf)).toEqual(['failed', 'failed', 'failed'])
      const keys = new Set(transactions.map(({ uuid }: { uuid: string }) => uuid))
      const sent = (await bank.twin.books()).filter(({ key }) => keys.has(key))
      expect(sent.map(({ outcome }) => outcome)).toEqual(['declined'])
      expect((await client.getPlan(plan.id)).state).toBe('uncollectible')
    })

    test.each([
      { isApproved: true, order: { state: 'completed', paid_total: '100.00' }, attempts: ['succeeded'] },
      { isApproved: false, order: { state: 'open', paid_total: '0.00' }, attempts: ['failed'] },
    ])(
      'a bank that asks for the payer gives a link, and the attempt counts once the payer has acted ($order.state)',
      async ({ isApproved, order, attempts }) => {
        const { orders, plan, customer } = await subscribe('asks_always')
        const asked = await firstOrder(orders)
        const { number, transactions } = asked
        expect(transactions.map(stateOf)).toEqual(['requires_action'])
        expect(transactions[0].next_action.url).toContain(bank.twin.url)
        await client.advanceBy('PT12H')
        expect((await client.checkOrder(number)).transactions.map(stateOf)).toEqual(['requires_action'])
        await bank.confirm(transactions[0].next_action.url, isApproved)
        const states = async () => (await client.checkOrder(number)).transactions.map(stateOf)
        await expect.poll(states, SOON).toEqual(attempts)
        expect(await client.checkOrder(number)).toMatchObject(order)
        expect(await bank.moved(transactions[0].uuid, 'sale')).toEqual(isApproved ? ['100.00'] : [])
        if (isApproved) return
        expect((await client.getPlan(plan.id)).state).toBe('past_due')
        await bindGoodCard(customer)
        await client.advanceBy('P2D')
        expect(await client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '100.00' })
      },
    )

    test('an outage of the acquirer at a billing time costs no attempt', async () => {
      const { orders } = await subscribe('approves', {}, 2)
      const { state } = await firstOrder(orders)
      expect(state).toBe('completed')
      await bank.kill()
      await client.advanceBy('P1M')
      const waiting = (await orders())[1]
      expect(waiting.state).toBe('open')
      expect((await client.checkOrder(waiting.number)).transactions.map(stateOf)).toEqual(['unknown'])
      await bank.restart()
      const paid = async () => {
        await client.advanceBy('PT1H')
        return (await client.checkOrder(waiting.number)).state
      }
      await expect.poll(paid, SOON).toBe('completed')
      const { transactions } = await client.checkOrder(waiting.number)
      expect(transactions.map(stateOf)).toEqual(['succeeded'])
      expect(await bank.moved(transactions[0].uuid, 'sale')).toEqual(['100.00'])
    })

    test.runIf(kind.acquirer === 'stripe')(
      'a card that the acquirer renews shows its new expiry',
      async () => {
        const { customer } = await bank.bind(client, account, 'approves')
        const instrument = await kind.instrument(bank.twin.url, account, customer.uuid, 'soft_decline')
        await client.bind(customer.uuid, { ...instrument, default: true })
        const { id } = instrument['acquirer_token'] as { id: string }
        await bank.twin.control('POST', '/_twin/card_update', {
          payment_method: id,
          last4: '1881',
          exp_month: 7,
          exp_year: 2051,
        })
        const path = `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`
        const shown = async () => {
          const { payment_tokens: tokens } = await client.ok('GET', path)
          return tokens.find((each: { default: boolean }) => each.default).credit_card
        }
        const renewed = { number: '************1881', exp_month: '07', exp_year: '2051' }
        await expect.poll(shown, SOON).toMatchObject(renewed)
      },
    )
  },
)
