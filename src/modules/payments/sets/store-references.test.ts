import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { db, payments, admin } = fixture

// Proves reference/acquirers#outcomes.
test('charges that are sent together commit their ids in few transactions, and those taken over send nothing more', async () => {
  const { businessId, token: id } = await fixture.newMerchant()
  const charges = await db.transact(businessId, async (tx) => {
    const token = (await fixture.customers.findTokens(tx, [id])).get(id)
    if (token === undefined) throw new Error('the token does not exist')
    const orders = await payments.createOrders(
      tx,
      Array.from({ length: 40 }, () => ({
        source: 'recurring' as const,
        type: 'recurring' as const,
        referenceNumber: newId('ref'),
        initialTotal: Money.ofDecimal('HKD', '12.50'),
        lineItems: [],
        at: tx.now,
      })),
    )
    const initiated = await payments.initiateCharges(
      tx,
      orders.flatMap((order) =>
        order === undefined
          ? []
          : [{ orderId: order.id, type: 'Sales' as const, token, payerPresent: false, at: tx.now }],
      ),
    )
    return initiated.flatMap((charge) => ('refused' in charge ? [] : [charge]))
  })
  expect(charges).toHaveLength(40)
  const keys = charges.map(({ operation }) => operation.key)
  const [takenOver = '', named = ''] = keys
  await admin.query(`update acquirer_operations set lease_id = 'other' where key = $1`, [takenOver])
  await admin.query(`update acquirer_operations set reference = 'of_a_recovery' where key = $1`, [named])
  const committed = new Map<string, boolean>()
  fixture.between.acquirer = {
    ...fixture.real,
    sale: async ({ key, commitReference }) => {
      committed.set(key, await commitReference(`ref_${key}`))
      return { kind: 'unknown', responseMessage: 'No response.' }
    },
  }
  await Promise.all(charges.map((charge) => payments.performCharge(charge)))
  fixture.between.acquirer = fixture.real
  expect(
    [...committed]
      .filter(([, isCommitted]) => !isCommitted)
      .map(([key]) => key)
      .toSorted(),
  ).toEqual([takenOver, named].toSorted())
  const { rows } = await admin.query<{ key: string; reference: string | null; written: string }>(
    `select key, reference, xmin::text as written from acquirer_operations where key = any($1)`,
    [keys],
  )
  const stored = rows.filter(({ key, reference }) => reference === `ref_${key}`)
  expect(stored).toHaveLength(38)
  expect(rows.find(({ key }) => key === takenOver)?.reference).toBeNull()
  expect(rows.find(({ key }) => key === named)?.reference).toBe('of_a_recovery')
  expect(new Set(stored.map(({ written }) => written)).size).toBeLessThan(10)
})
