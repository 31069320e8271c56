import { afterAll, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { type HttpReply, startDouble } from '../testing/double.ts'

// Proves reference/acquirers#airwallex, reference/disputes#submission.
const double = await startDouble()
const acquirer = double.connect()
afterAll(() => acquirer.disconnect())

const LIST = 'GET /pa/payment_disputes'
const DISPUTE = '/pa/payment_disputes/dis_1'
const dispute = {
  id: 'dis_1',
  payment_intent_id: 'int_1',
  amount: 100.01,
  currency: 'HKD',
  stage: 'CHARGEBACK',
  status: 'REQUIRES_RESPONSE',
  created_at: '2026-11-29T05:41:28+0000',
}

test('a list ends with a page that has no disputes, whatever its cursor says', async () => {
  const page = (items: readonly object[]): HttpReply => [200, { items, page_after: 'YWZ0ZXI' }]
  double.answer({ [LIST]: [page([dispute]), page([])] })
  const openedAfter = realClock.now()
  const first = await acquirer.disputes.list({ openedAfter, cursor: null })
  expect(first).toMatchObject({ kind: 'ok', value: { nextCursor: 'YWZ0ZXI' } })
  const last = await acquirer.disputes.list({ openedAfter, cursor: 'YWZ0ZXI' })
  expect(last).toEqual({ kind: 'ok', value: { items: [], nextCursor: null } })
})

test('a challenge whose files were uploaded again has another request id', async () => {
  let uploads = 0
  double.answer({
    [`GET ${DISPUTE}`]: [200, dispute],
    'POST /files/upload': () => [201, { file_id: `file_${++uploads}` }],
    [`POST ${DISPUTE}/challenge`]: [
      [500, {}],
      [200, { ...dispute, status: 'CHALLENGED' }],
    ],
  })
  const files = { primary: { name: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') } }
  const evidence = { texts: { product_type: 'others' }, files }
  expect(await acquirer.disputes.submit('dis_1', evidence, 'dsb_1')).toMatchObject({ kind: 'unavailable' })
  expect(await acquirer.disputes.submit('dis_1', evidence, 'dsb_1')).toMatchObject({ kind: 'ok' })
  const sent = double.asked.filter(({ target }) => target.endsWith('/challenge')).map(({ body }) => body)
  expect(sent.map(({ supporting_documents: documents }) => documents)).toEqual(
    ['file_1', 'file_2'].map((id) => ({ documents: [{ type: 'PRIMARY', file_ids: [id] }] })),
  )
  expect(new Set(sent.map(({ request_id: id }) => id)).size).toBe(2)
})
