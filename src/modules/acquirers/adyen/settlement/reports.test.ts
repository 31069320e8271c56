import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { Page, Reply } from '../../port/disputes.ts'
import type { BalanceEntry } from '../../port/settlement.ts'
import { card, chargeCall, followUp, startAdyenTwin } from '../testing/adyen-twin.ts'

// Proves reference/acquirers#adyen.
const MERCHANT = 'Books'
const { twin, acquirer, notices, receiveNotices } = await startAdyenTwin(MERCHANT)
await receiveNotices({ repeat: 1 })
const { settlement } = acquirer

async function settle(): Promise<void> {
  const before = reports()
  await twin.control('POST', '/_twin/settle', { account: MERCHANT })
  await expect.poll(() => reports()).toBeGreaterThan(before)
}

function reports(): number {
  return new Set(notices.filter(({ type }) => type === 'REPORT_AVAILABLE').map(({ id }) => id)).size
}

function valueOf<Value>(reply: Reply<Value>): Value {
  if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply))
  return reply.value
}

async function allOf<Item>(read: (cursor: string | null) => Promise<Reply<Page<Item>>>): Promise<Item[][]> {
  const pages: Item[][] = []
  for (let cursor: string | null = null; ;) {
    const page: Page<Item> = valueOf(await read(cursor))
    pages.push([...page.items])
    if (page.nextCursor === null) return pages
    cursor = page.nextCursor
  }
}

const until = realClock.now().add({ hours: 1 })
const from = until.subtract({ hours: 24 })
const entries = async (): Promise<BalanceEntry[]> =>
  (await allOf((cursor) => settlement.entries({ from, until, cursor }))).flat()

async function pay(holderName = 'Chan Tai Man'): Promise<string> {
  const paid = await acquirer.sale(chargeCall({ instrument: card(holderName) }).request)
  if (paid.kind !== 'approved') throw new Error(paid.kind)
  return paid.gatewayTransactionId
}

test('a batch is read as entries with our references, and paid by one payout', async () => {
  expect(await entries()).toEqual([])
  const payment = await pay('chargeback')
  const refund = await acquirer.refund(followUp(payment, '4.00'))
  if (refund.kind !== 'approved') throw new Error(refund.kind)
  await settle()
  const lines = await entries()
  expect(
    lines.map(({ type, reference, grossMinor, feeMinor, netMinor }) => ({
      type,
      reference,
      grossMinor,
      feeMinor,
      netMinor,
    })),
  ).toEqual([
    { type: 'payment', reference: payment, grossMinor: 1000n, feeMinor: 9n, netMinor: 991n },
    {
      type: 'dispute',
      reference: expect.stringMatching(/^[A-Z0-9]{16}$/),
      grossMinor: -1000n,
      feeMinor: 0n,
      netMinor: -1000n,
    },
    {
      type: 'refund',
      reference: refund.gatewayTransactionId,
      grossMinor: -400n,
      feeMinor: 0n,
      netMinor: -400n,
    },
    { type: 'fee', reference: null, grossMinor: -10n, feeMinor: 0n, netMinor: -10n },
    { type: 'payout', reference: null, grossMinor: 419n, feeMinor: 0n, netMinor: 419n },
  ])
  expect(lines.reduce((sum, { netMinor }) => sum + netMinor, 0n)).toBe(0n)
})

test('pages of entries have at most 100 lines, and none is lost between reports', async () => {
  for (let round = 0; round < 21; round++) await Promise.all(Array.from({ length: 10 }, () => pay()))
  await settle()
  const pages = await allOf((cursor) => settlement.entries({ from, until, cursor }))
  expect(pages.map((page) => page.length)).toEqual([100, 100, 12, 5])
  const ids = pages.flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(await settlement.entries({ from: until, until: until.add({ hours: 1 }), cursor: null })).toEqual({
    kind: 'ok',
    value: { items: [], nextCursor: null },
  })
})

test('a payout pays exactly its lines', async () => {
  const payouts = (
    await allOf((cursor) => settlement.payouts({ createdAfter: from, cursor, paidIn: async () => [] }))
  ).flat()
  expect(payouts.map(({ id }) => id)).toEqual([
    'settlement_detail_report_batch_2.csv:EUR',
    'settlement_detail_report_batch_1.csv:EUR',
  ])
  for (const { id, amountMinor } of payouts) {
    const lines = (await allOf((cursor) => settlement.payoutEntries({ payoutId: id, cursor }))).flat()
    expect(lines.reduce((sum, { netMinor }) => sum + netMinor, 0n)).toBe(amountMinor)
  }
  expect(await settlement.payoutEntries({ payoutId: 'unknown', cursor: null })).toEqual({ kind: 'absent' })
  expect(await settlement.payouts({ createdAfter: until, cursor: null, paidIn: async () => [] })).toEqual({
    kind: 'ok',
    value: { items: [], nextCursor: null },
  })
})
