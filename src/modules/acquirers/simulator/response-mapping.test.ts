import type { ServerResponse } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { startHttpServer } from '#platform/testing/http-server'
import { createSimulatorAcquirer } from '../index.ts'
import { charge, lookup } from '../testing/simulator.ts'

// Proves reference/payments#unknown-outcomes.
// A server that replies whatever the test says, because the simulator never sends most of these replies.
let answer = { status: 200, text: '' }
let isSilentOnInquiries = false
const silent: ServerResponse[] = []
const url = await startHttpServer((request, response) => {
  if (isSilentOnInquiries && request.url?.startsWith('/payments/')) return void silent.push(response)
  response.writeHead(answer.status).end(answer.text)
})
const acquirer = createSimulatorAcquirer({ url, merchantId: 'M1', timeoutMs: 60_000 })
afterAll(() => acquirer.close())

const RECORD = {
  gateway_transaction_id: 'g',
  rrn: 'r',
  auth_code: 'a',
  batch_number: 'b',
  response_code: 'c',
  response_message: 'm',
}

test.each([
  [400, '{"error":{"code":"bad"}}', 'refused'],
  [402, 'no json', 'refused'],
  [408, '{}', 'unknown'],
  [429, '{}', 'unknown'],
  [500, '{}', 'unknown'],
  [503, JSON.stringify({ status: 'approved', ...RECORD }), 'unknown'],
  [302, '', 'unknown'],
  [200, '', 'unknown'],
  [200, 'null', 'unknown'],
  [200, '{"status":"approved"}', 'unknown'],
  [200, JSON.stringify({ status: 'perhaps', ...RECORD }), 'unknown'],
  [200, JSON.stringify({ status: 'declined', ...RECORD }), 'unknown'],
  [200, JSON.stringify({ status: 'absent', closed: true }), 'unknown'],
  [200, JSON.stringify({ status: 'approved', ...RECORD, padding: 'x'.repeat(300_000) }), 'unknown'],
  [200, JSON.stringify({ status: 'approved', ...RECORD }), 'approved'],
  [200, JSON.stringify({ status: 'declined', hard: true, ...RECORD }), 'declined'],
  [200, JSON.stringify({ status: 'pending', ...RECORD }), 'pending'],
])('a charge that gets HTTP %i and %.40s is %s', async (status, text, kind) => {
  answer = { status, text }
  expect((await acquirer.sale(charge('k'))).kind).toBe(kind)
})

test.each([400, 404, 409, 429, 500])(
  'an inquiry that gets HTTP %i leaves the outcome unknown',
  async (status) => {
    answer = { status, text: '{"status":"absent","closed":true}' }
    expect((await acquirer.inquire(lookup('k'))).kind).toBe('unknown')
    expect((await acquirer.closeKey(lookup('k'))).kind).toBe('unknown')
  },
)

test('an unreachable acquirer is an unknown outcome, not an exception', async () => {
  const nobody = createSimulatorAcquirer({ url: 'http://127.0.0.1:1', merchantId: 'M1', timeoutMs: 60_000 })
  expect((await nobody.sale(charge('k'))).kind).toBe('unknown')
  expect((await nobody.inquire(lookup('k'))).kind).toBe('unknown')
  await nobody.close()
})

test('unanswered inquiries never delay a charge', async () => {
  answer = { status: 200, text: JSON.stringify({ status: 'approved', ...RECORD }) }
  isSilentOnInquiries = true
  const inquiries = Promise.all(Array.from({ length: 200 }, (_, n) => acquirer.inquire(lookup(`k${n}`))))
  const sale = acquirer.sale(charge('k'))
  const first = await Promise.race([sale, inquiries])
  isSilentOnInquiries = false
  for (const response of silent) response.end()
  expect(first).toMatchObject({ kind: 'approved' })
  await inquiries
})
