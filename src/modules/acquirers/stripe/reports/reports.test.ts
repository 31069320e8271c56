import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { BalanceEntry } from '../../port/settlement.ts'
import { connectToTwin, followUpOf } from '../testing/twin.ts'

// Proves reference/acquirers#stripe.

const { twin, acquirer, sdk, newCharge } = await connectToTwin()

const LONG_AGO = realClock.now().subtract({ hours: 24 })
const FILE = {
  name: 'a"b\r\n\t\u202ec.txt',
  contentType: 'text/plain',
  content: Buffer.from('What was delivered.'),
}

async function disputed(card = 'createDispute') {
  const { request } = await newCharge(card)
  const outcome = await acquirer.sale(request)
  const payment = 'gatewayTransactionId' in outcome ? outcome.gatewayTransactionId : ''
  const [dispute] = (await sdk.disputes.list({ payment_intent: payment })).data
  if (dispute === undefined) throw new Error('there is no dispute')
  return { dispute, payment }
}

describe('disputes', () => {
  test.each([
    ['createDispute', 'needs_response', 'fraudulent'],
    ['createDisputeInquiry', 'inquiry_needs_response', 'fraudulent'],
    ['createDisputeProductNotReceived', 'needs_response', 'product_not_received'],
  ])('of the card %s are %s', async (card, state, reason) => {
    const { dispute, payment } = await disputed(card)
    const found = await acquirer.disputes.get(dispute.id)
    expect(found).toMatchObject({
      kind: 'ok',
      value: { reference: dispute.id, paymentReference: payment, state, reason, isSubmitted: false },
    })
    if (found.kind !== 'ok') return
    expect(found.value.amount.toString()).toBe('12.00')
    expect(found.value.respondBy?.epochMilliseconds).toBe((dispute.evidence_details.due_by ?? 0) * 1000)
  })

  test('are listed, newest first', async () => {
    const { dispute } = await disputed()
    const listed = await acquirer.disputes.list({ openedAfter: LONG_AGO, cursor: null })
    expect(listed.kind === 'ok' && listed.value.items[0]?.reference).toBe(dispute.id)
    const none = await acquirer.disputes.list({
      openedAfter: realClock.now().add({ hours: 1 }),
      cursor: null,
    })
    expect(none).toEqual({ kind: 'ok', value: { items: [], nextCursor: null } })
  })

  test('get texts and files once; repeating it is safe, also when Stripe forgot the key', async () => {
    const { dispute } = await disputed()
    const key = randomUUID()
    const evidence = { texts: { uncategorized_text: 'It was delivered.' }, files: { receipt: FILE } }
    const submitted = { kind: 'ok', value: { state: 'under_review', isSubmitted: true } }
    expect(await acquirer.disputes.submit(dispute.id, evidence, key)).toMatchObject(submitted)
    expect(await acquirer.disputes.submit(dispute.id, evidence, key)).toMatchObject(submitted)
    await twin.pruneKeys()
    expect(await acquirer.disputes.submit(dispute.id, evidence, key)).toMatchObject(submitted)
    const stored = await sdk.disputes.retrieve(dispute.id)
    expect(stored.evidence.uncategorized_text).toBe('It was delivered.')
    expect(stored.evidence_details.submission_count).toBe(1)
    const file = await sdk.files.retrieve(stored.evidence.receipt as string)
    expect(file).toMatchObject({
      purpose: 'dispute_evidence',
      size: FILE.content.length,
      filename: 'a_b c.txt',
    })
  })

  test('take exactly the evidence that Stripe knows', async () => {
    const { dispute } = await disputed()
    const { enhanced_evidence: _, ...known } = dispute.evidence
    const { evidenceTexts, evidenceFiles } = acquirer.disputes
    expect([...evidenceTexts, ...evidenceFiles].sort()).toEqual(Object.keys(known).sort())
  })

  test('that are not there, or cannot be asked for', async () => {
    expect(await acquirer.disputes.get('dp_missing')).toEqual({ kind: 'absent' })
    await twin.setFaults({ fail_before: 1, times: 1 })
    expect((await acquirer.disputes.get('dp_missing')).kind).toBe('unavailable')
  })
})

async function allEntries(query: object): Promise<BalanceEntry[]> {
  const entries: BalanceEntry[] = []
  let cursor: string | null = null
  do {
    const until = realClock.now().add({ hours: 24 * 400 })
    const page = await acquirer.settlement.entries({ from: LONG_AGO, until, cursor, ...query })
    if (page.kind !== 'ok') throw new Error(page.kind)
    expect(page.value.items.length).toBeLessThanOrEqual(100)
    entries.push(...page.value.items)
    cursor = page.value.nextCursor
  } while (cursor !== null)
  return entries
}

describe('settlement', () => {
  test('has a line for a payment, a refund and a dispute, by our ids', async () => {
    const { request } = await newCharge('visa')
    const sale = await acquirer.sale(request)
    const followUp = followUpOf(request, sale)
    const refund = await acquirer.refund(followUp)
    const { dispute, payment } = await disputed()
    const entries = await allEntries({})
    const byReference = (reference: unknown) => entries.filter((entry) => entry.reference === reference)
    const [line] = byReference(followUp.originalReference)
    expect(line).toMatchObject({ type: 'payment', acquirerType: 'charge', currency: 'USD', paid: null })
    expect([line?.grossMinor, line?.netMinor]).toEqual([1200n, 1200n - (line?.feeMinor ?? 0n)])
    expect(line?.feeMinor).toBeGreaterThan(0n)
    expect(byReference('gatewayTransactionId' in refund ? refund.gatewayTransactionId : '')).toMatchObject([
      { type: 'refund', grossMinor: -1200n },
    ])
    expect(byReference(payment)).toHaveLength(1)
    expect(byReference(dispute.id)).toMatchObject([{ type: 'dispute', grossMinor: -1200n }])
  })

  test('names the lines of a payout, which add up to it', async () => {
    const { request } = await newCharge('visa', { amount: Money.ofDecimal('USD', '500.00') })
    await acquirer.sale(request)
    await twin.control('POST', '/_twin/payout', { currency: 'USD' })
    const payouts = await acquirer.settlement.payouts({
      createdAfter: LONG_AGO,
      cursor: null,
      paidIn: async () => [],
    })
    const [payout] = payouts.kind === 'ok' ? payouts.value.items : []
    if (payout === undefined) throw new Error('there is no payout')
    const lines = await acquirer.settlement.payoutEntries({ payoutId: payout.id, cursor: null })
    if (lines.kind !== 'ok') throw new Error(lines.kind)
    const { items } = lines.value
    expect(items.length).toBeGreaterThan(0)
    expect(items.reduce((sum, { netMinor }) => sum + netMinor, 0n)).toBe(payout.amountMinor)
    expect((await allEntries({})).filter(({ type }) => type === 'payout')).toMatchObject([
      { netMinor: -payout.amountMinor, reference: null },
    ])
  })

  test('comes page by page, and stays in its time', async () => {
    for (let number = 0; number < 101; number++) {
      await sdk.paymentIntents.create({
        amount: 1000,
        currency: 'usd',
        payment_method: 'pm_card_visa',
        allowed_payment_method_types: ['card'],
        confirm: true,
      })
    }
    const entries = await allEntries({})
    expect(entries.length).toBeGreaterThan(100)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
    expect(await allEntries({ until: LONG_AGO.add({ hours: 1 }) })).toEqual([])
  })
})

test('payments and refunds of a period are listed with our keys, also those that moved no money', async () => {
  const { request, row } = await newCharge('visa')
  const outcome = await acquirer.sale(request)
  const refund = followUpOf(request, outcome, Money.ofDecimal('USD', '2.00'))
  await acquirer.refund(refund)
  const declined = await newCharge('chargeCustomerFail')
  await acquirer.sale(declined.request)
  const period = { from: LONG_AGO, until: realClock.now().add({ minutes: 1 }) }
  const listed = await acquirer.bookings?.(period)
  if (listed?.kind !== 'ok') throw new Error('nothing is listed')
  const bookingOf = (key: string) => listed.value.find((booking) => booking.key === key)
  expect(bookingOf(request.key)).toMatchObject({
    kind: 'payment',
    reference: row.reference,
    movesMoney: true,
  })
  expect(bookingOf(request.key)?.amount?.toString()).toBe('12.00')
  expect(bookingOf(refund.key)).toMatchObject({ kind: 'refund', movesMoney: true })
  expect(bookingOf(declined.request.key)).toMatchObject({ movesMoney: false })
  const before = { from: LONG_AGO.subtract({ hours: 24 }), until: LONG_AGO }
  expect(await acquirer.bookings?.(before)).toEqual({ kind: 'ok', value: [] })
})
