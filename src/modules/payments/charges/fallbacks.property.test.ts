import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Acquirer, Outcome } from '#modules/acquirers'
import { createTestAcquirer, simulatedAcquirers } from '../../acquirers/testing/acquirer.ts'
import { check, createFixture, newOrder, pay } from '../testing/fixture.ts'

const OUTCOMES = ['approve', 'soft', 'hard', 'refuse', 'lose', 'never_arrive', 'die'] as const
type Scripted = (typeof OUTCOMES)[number]

const banks = await Promise.all(['one', 'two'].map(() => createTestAcquirer({ silenceMs: 1_500 })))
const script: Record<string, Scripted[]> = { one: [], two: [] }
const sent: { account: string; scripted: Scripted; orderNumber: string }[] = []
let order: readonly string[] = ['one', 'two']

const RECORD = { gatewayTransactionId: '', rrn: '', authCode: '', batchNumber: '' }

/** The simulator of an account, whose responses to sales are scripted. Inquiries are served from its books. */
function scriptedAccount(account: string, real: Acquirer): Acquirer {
  const sale = async (request: Parameters<Acquirer['sale']>[0]): Promise<Outcome> => {
    const scripted = script[account]?.shift() ?? 'approve'
    sent.push({ account, scripted, orderNumber: request.orderNumber })
    const said = { ...RECORD, responseCode: scripted, responseMessage: scripted }
    switch (scripted) {
      case 'approve':
        return real.sale(request)
      case 'soft':
      case 'hard':
        return { kind: 'declined', hard: scripted === 'hard', ...said }
      case 'refuse':
        return { kind: 'refused', responseCode: scripted, responseMessage: scripted }
      case 'lose':
        await real.sale(request)
        return { kind: 'unknown', responseMessage: scripted }
      case 'never_arrive':
        return { kind: 'unknown', responseMessage: scripted }
      case 'die':
        await real.sale(request)
        throw new Error('the process died')
    }
  }
  return new Proxy(real, {
    get: (target, member) => {
      if (member === 'sale') return sale
      const value: unknown = Reflect.get(target, member)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

const accounts = new Map(
  banks.map(({ acquirer }, index) => {
    const id: string = index === 0 ? 'one' : 'two'
    return [id, scriptedAccount(id, acquirer)] as const
  }),
)
const first = accounts.get('one') as Acquirer
const simulated = simulatedAcquirers(() => first)
const routed = (id: string) => ({
  id,
  acquirerName: first.name,
  merchantId: 'M1',
  capabilities: first.capabilities,
})
const fixture = await createFixture({
  acquirers: {
    ...simulated,
    router: async () => ({
      first: routed('one'),
      account: routed,
      hasPageFor: () => true,
      takesWallet: () => true,
      route: () => order.map(routed),
    }),
    open: async (_businessId, accountId) => accounts.get(accountId) ?? first,
  },
})
const merchant = await fixture.newMerchant()

const outcomes = fc.array(fc.constantFrom(...OUTCOMES), { maxLength: 4 })

// Proves reference/acquirers#fallbacks, reference/payments#reservations.
test('whatever the accounts answer, never two of them are paid for the same amount of an order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        one: outcomes,
        two: outcomes,
        isReversed: fc.boolean(),
        callers: fc.integer({ min: 1, max: 3 }),
      }),
      async ({ one, two, isReversed, callers }) => {
        order = isReversed ? ['two', 'one'] : ['one', 'two']
        script['one'] = [...one]
        script['two'] = [...two]
        const { number } = await newOrder(fixture, merchant)
        const callsBefore = sent.length
        await Promise.allSettled(Array.from({ length: callers }, () => pay(fixture, merchant, number)))
        await fixture.endLeases()
        await fixture.advance(merchant.businessId, { hours: 2 })
        const end = await check(fixture, merchant, number)
        const uuids = new Set(end.transactions.map(({ uuid }) => uuid))
        const books = (await Promise.all(banks.map((bank) => bank.books()))).flat()
        const booked = books.filter(
          ({ key, operation, outcome }) => uuids.has(key) && operation === 'sale' && outcome === 'approved',
        )
        expect(end.transactions.filter(({ is_pending: isPending }) => isPending)).toEqual([])
        expect(booked.length).toBeLessThanOrEqual(1)
        expect(Number(end.paid_total)).toBe(booked.length * 100)

        const calls = sent.slice(callsBefore)
        expect(calls).toHaveLength(end.transactions.length)
        if (callers > 1) return
        const stops = calls.findIndex(({ scripted }) => scripted !== 'soft' && scripted !== 'refuse')
        expect(stops === -1 ? calls.length : stops + 1).toBe(calls.length)
        expect(calls.map(({ account }) => account)).toEqual(order.slice(0, calls.length))
      },
    ),
    { numRuns: 40, endOnFailure: true },
  )
})
