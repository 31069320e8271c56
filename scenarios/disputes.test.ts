import { expect, test } from 'vitest'
import { PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'
import { connectStripe, payAtStripe, startStripeTwin, WEBHOOK_SECRET } from './harness/stripe-twin.ts'

const twin = await startStripeTwin()
const { client } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const account = await connectStripe(client, twin.url)
await fetch(`${twin.url}/_twin/notices`, {
  method: 'PUT',
  body: JSON.stringify({ url: account.webhook_url, secret: WEBHOOK_SECRET, repeat: 3, shuffle: true }),
})

const DISPUTES = `${PAYMENTS}/disputes`
const RECONCILIATIONS = `${PAYMENTS}/reconciliations`
const WITHIN = { timeout: 60_000 }

/** A payment that its payer disputes, as soon as a notice has reported it. */
async function disputed(card: string) {
  const paid = await payAtStripe(client, account.id, card)
  const filter = encodeURIComponent(`order_number = "${paid.number}"`)
  const read = async () => (await client.ok('GET', `${DISPUTES}?filter=${filter}`)).disputes[0]
  await expect.poll(read, WITHIN).toBeDefined()
  return { ...paid, id: (await read()).id as string }
}

const disputeOf = async (id: string) => (await client.ok('GET', `${DISPUTES}/${id}`)).dispute

// Proves reference/disputes#where-disputes-come-from, reference/disputes#submission.
test.each([
  ['winning_evidence', 'won'],
  ['losing_evidence', 'lost'],
])('a dispute of a payment at Stripe, answered with %s, is %s', async (text, state) => {
  const { id, number, uuid } = await disputed('pm_card_createDispute')
  expect(await disputeOf(id)).toMatchObject({
    order_number: number,
    transaction: { uuid },
    state: 'needs_response',
    reason: 'fraudulent',
    acquirer_account_id: account.id,
  })
  const file = { name: 'r.pdf', content_type: 'application/pdf', content: 'JVBERi0xLjcK' }
  await client.ok('PUT', `${DISPUTES}/${id}/evidence`, {
    evidence: { uncategorized_text: text, receipt: file },
  })
  const { dispute } = await client.ok('POST', `${DISPUTES}/${id}/submit`)
  expect(dispute).toMatchObject({ submitted_at: expect.any(String) as string })
  await expect.poll(async () => (await disputeOf(id)).state as string, WITHIN).toBe(state)
  expect((await client.call('POST', `${DISPUTES}/${id}/submit`)).status).toBe(409)
  expect((await client.call('PUT', `${DISPUTES}/${id}/evidence`, { evidence: {} })).status).toBe(409)
  const { events } = await client.ok('GET', `/svc/event/api/v1/openapi/events?object_id=${id}`)
  const types = events.map(({ type }: { type: string }) => type)
  expect(types).toContain('dispute.opened')
  expect(types).toContain('dispute.evidence_submitted')
  expect(types).toContain(`dispute.${state}`)
  const { order } = await client.ok('POST', `${PAYMENTS}/orders/check`, { order: { number } })
  expect(order).toMatchObject({ paid_total: '100.00', state: 'completed' })
})

test('a lost answer to a submission is 504, and the evidence is at Stripe once', async () => {
  const { id } = await disputed('pm_card_createDispute')
  await client.ok('PUT', `${DISPUTES}/${id}/evidence`, {
    evidence: { uncategorized_text: 'It was delivered.' },
  })
  await fetch(`${twin.url}/_twin/faults`, {
    method: 'PUT',
    body: JSON.stringify({ lose_answer: 1, match: 'POST /v1/disputes', times: 1 }),
  })
  const reply = await client.call('POST', `${DISPUTES}/${id}/submit`)
  expect([reply.status, reply.data.error?.reason]).toEqual([504, 'submission_unknown'])
  await expect.poll(async () => (await disputeOf(id)).submitted_at as string | null, WITHIN).not.toBeNull()
  expect(await disputeOf(id)).toMatchObject({ state: 'under_review' })
})

test('evidence that Stripe has no name for is refused with the member', async () => {
  const { id } = await disputed('pm_card_createDispute')
  const reply = await client.call('PUT', `${DISPUTES}/${id}/evidence`, { evidence: { shoe_size: '42' } })
  expect([reply.status, reply.data.error?.param]).toEqual([422, 'evidence.shoe_size'])
})

// Proves reference/reconciliation#payouts-and-days, reference/reconciliation#disputes-in-the-books, reference/disputes#books.
test('the books of Stripe match ours, payout by payout, with disputes and their fees', async () => {
  const { id } = await disputed('pm_card_createDispute')
  await payAtStripe(client, account.id, 'pm_card_visa')
  await fetch(`${twin.url}/_twin/clock`, { method: 'POST', body: JSON.stringify({ advance_seconds: 30 }) })
  const payout = await fetch(`${twin.url}/_twin/payout`, { method: 'POST', body: '{}' })
  expect(payout.status).toBe(200)
  await payAtStripe(client, account.id, 'pm_card_visa')
  await client.ok('POST', `${RECONCILIATIONS}/run`, {})
  const reconciliations = async () => (await client.ok('GET', RECONCILIATIONS)).reconciliations as Shown[]
  await expect.poll(async () => (await reconciliations()).length, WITHIN).toBeGreaterThan(1)
  const isComplete = async () => {
    const { reconciliation_runs: runs } = await client.ok('POST', `${RECONCILIATIONS}/run`, {})
    return (runs as { completed_at: string | null }[])[0]?.completed_at !== null
  }
  await expect.poll(isComplete, WITHIN).toBe(true)
  const shown = await reconciliations()
  expect(
    shown.map(({ missing_here: here, missing_there: there, different_amount: other }) => [
      here,
      there,
      other,
    ]),
  ).toEqual(shown.map(() => [0, 0, 0]))
  const paidOut = shown.find(({ payout: one }) => one !== null)
  expect(paidOut).toMatchObject({ payout: { lines: 'complete' }, fees: [{ currency: 'HKD' }] })
  const { entries } = await client.ok('GET', `${RECONCILIATIONS}/${paidOut?.id}/entries?limit=100`)
  const ofDispute = (entries as { dispute: { id: string } | null; result: string; gross: number }[]).filter(
    (entry) => entry.dispute?.id === id,
  )
  expect(ofDispute).toMatchObject([{ result: 'matched', gross: -100 }])
  const allEntries = await Promise.all(
    shown.map(
      async (one) => (await client.ok('GET', `${RECONCILIATIONS}/${one.id}/entries?limit=100`)).entries,
    ),
  )
  const ofDisputes = (allEntries.flat() as { dispute: object | null; gross: number }[]).filter(
    (entry) => entry.dispute !== null,
  )
  const { totals } = await client.ok('GET', '/svc/report/api/v1/openapi/totals?period=last_7_days')
  expect(totals.currencies[0].disputed_total).toBe(-ofDisputes.reduce((sum, { gross }) => sum + gross, 0))
  const csv = await fetch(`${client.sandbox.base_url}${RECONCILIATIONS}/${paidOut?.id}/report.csv`, {
    headers: { authorization: `Bearer ${client.sandbox.api_key}` },
  })
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect((await csv.text()).trimEnd().split('\r\n')).toHaveLength(entries.length + 1)
})

interface Shown {
  id: string
  payout: { id: string } | null
  missing_here: number
  missing_there: number
  different_amount: number
}
