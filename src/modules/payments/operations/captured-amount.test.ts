import { afterEach, expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { type Acquirer, EMPTY_RECORD } from '#modules/acquirers'
import { verifyPayments } from '../audit/verify.ts'
import { check, createFixture, followUp, type Merchant, newOrder, pay } from '../testing/fixture.ts'

// Proves reference/acquirers#airwallex.
const fixture = await createFixture()
afterEach(() => {
  fixture.between.acquirer = fixture.real
})

function capturing(text: string): void {
  const approved = async ({ key }: { readonly key: string }) =>
    ({
      kind: 'approved',
      ...EMPTY_RECORD,
      gatewayTransactionId: `int_${key}`,
      captured: Money.ofDecimal('HKD', text),
    }) as const
  const acquirer: Acquirer = { ...fixture.real, sale: approved, capture: approved }
  fixture.between.acquirer = acquirer
}

async function order(members: object = {}) {
  const merchant = await fixture.newMerchant()
  const { number } = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, number, members)
  return { merchant, number, transaction }
}

const breaches = ({ businessId }: Merchant) => Array.fromAsync(verifyPayments(fixture.db)(businessId))

test('a sale counts for what was captured, and the rest of the order can be paid', async () => {
  capturing('60.00')
  const { merchant, number, transaction } = await order()
  expect(transaction).toMatchObject({ amount: 60, success: true })
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'open', paid_total: '60.00' })
  expect(await breaches(merchant)).toEqual([])
  fixture.between.acquirer = fixture.real
  await pay(fixture, merchant, number)
  const paid = await check(fixture, merchant, number)
  expect(paid).toMatchObject({ state: 'completed', paid_total: '100.00' })
  expect(paid.transactions.map(({ amount }) => amount)).toEqual([60, 40])
  expect(await breaches(merchant)).toEqual([])
})

test('a capture counts for what was captured of its authorization', async () => {
  const { merchant, number, transaction } = await order({ type: 'Authorization' })
  capturing('50.00')
  const captured = await followUp(fixture, merchant, 'capture', transaction.uuid, { amount: 60 })
  expect(captured.transaction).toMatchObject({ amount: 50 })
  expect(await check(fixture, merchant, number)).toMatchObject({ state: 'open', paid_total: '50.00' })
  expect(await breaches(merchant)).toEqual([])
})
