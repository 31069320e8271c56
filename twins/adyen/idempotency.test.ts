import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { hasDescriptions, problemsOf } from './testing/descriptions.ts'
import { ACCOUNT, payment, startWitnessedTwin, type WitnessedTwin } from './testing/witness.ts'

const DAY = 86_400

let twin: WitnessedTwin

beforeAll(async () => {
  twin = await startWitnessedTwin()
})

afterEach(async () => {
  await twin.control('PUT', 'faults')
  if (hasDescriptions) expect(problemsOf(twin.exchanges)).toEqual([])
  twin.exchanges.length = 0
})

afterAll(() => twin.close())

const pay = (reference: string, key: string, members: object = {}) =>
  twin.post('/v72/payments', payment(reference, members), { 'idempotency-key': key })

async function movementsOf(reference: string): Promise<string[]> {
  const movements = await twin.movements()
  return movements.filter(({ key }) => key === reference).map(({ operation }) => operation)
}

test('a repeated key gets the first answer and books nothing', async () => {
  const first = await pay('repeated', 'key-1')
  expect(first.headers.get('idempotency-key')).toBe('key-1')
  const again = await pay('repeated', 'key-1')
  expect(again.body).toEqual(first.body)
  expect(await movementsOf('repeated')).toEqual(['authorization'])
  const other = await pay('repeated', 'key-1b')
  expect(other.body.pspReference).not.toBe(first.body.pspReference)
})

test('a key that is still in progress is answered with 422 and error 704, which is transient', async () => {
  await twin.control('PUT', 'faults', { latency_ms: 300, match: '/payments$' })
  const answers = await Promise.all([pay('concurrent', 'key-2'), pay('concurrent', 'key-2')])
  const refused = answers.find(({ status }) => status === 422)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
  expect(refused?.body).toMatchObject({
    errorCode: '704',
    message: 'request already processed or in progress',
  })
  expect(refused?.headers.get('transient-error')).toBe('true')
  await twin.control('PUT', 'faults')
  expect((await pay('concurrent', 'key-2')).status).toBe(200)
  expect(await movementsOf('concurrent')).toEqual(['authorization'])
})

test('keys are kept for seven days; a pruned or older one runs the request anew', async () => {
  const first = await pay('kept', 'key-3')
  await twin.control('POST', 'clock', { advance_seconds: 7 * DAY - 60 })
  expect((await pay('kept', 'key-3')).body).toEqual(first.body)
  await twin.control('POST', 'clock', { advance_seconds: 120 })
  const second = await pay('kept', 'key-3')
  expect(second.body.pspReference).not.toBe(first.body.pspReference)
  await twin.control('POST', 'prune_keys')
  const third = await pay('kept', 'key-3')
  expect(third.body.pspReference).not.toBe(second.body.pspReference)
  expect(await movementsOf('kept')).toEqual(['authorization', 'authorization', 'authorization'])
})

test('what fails before it is booked may be sent again under its key; what fails after is found under it', async () => {
  await twin.control('PUT', 'faults', { fail_before: 1, times: 1 })
  const before = await pay('before', 'key-4')
  expect(before.status).toBe(500)
  expect(await movementsOf('before')).toEqual([])
  expect((await pay('before', 'key-4')).body.resultCode).toBe('Authorised')

  await twin.control('PUT', 'faults', { fail_after: 1, times: 1 })
  expect((await pay('after', 'key-5')).status).toBe(500)
  expect(await movementsOf('after')).toEqual(['authorization'])
  expect((await pay('after', 'key-5')).body.resultCode).toBe('Authorised')

  await twin.control('PUT', 'faults', { lose_answer: 1, times: 1 })
  await expect(pay('lost', 'key-6')).rejects.toThrow()
  expect((await pay('lost', 'key-6')).body.resultCode).toBe('Authorised')
  expect(await movementsOf('lost')).toEqual(['authorization'])

  await twin.control('PUT', 'faults', { rate_limit: 1, times: 1 })
  expect((await pay('limited', 'key-7')).status).toBe(429)
  expect(await movementsOf('limited')).toEqual([])
})

test('a refused request keeps no answer under its key', async () => {
  const refused = await pay('corrected', 'key-8', { amount: { currency: 'EUR', value: -1 } })
  expect(refused.body).toMatchObject({ status: 422, errorCode: '137' })
  expect((await pay('corrected', 'key-8')).status).toBe(200)
})

test('a technical cancel does not reach a payment that arrives after it', async () => {
  const cancel = { merchantAccount: ACCOUNT, paymentReference: 'late' }
  expect((await twin.post('/v72/cancels', cancel)).status).toBe(201)
  expect((await pay('late', 'key-9')).body.resultCode).toBe('Authorised')
  expect(await movementsOf('late')).toEqual(['authorization'])
  await twin.post('/v72/cancels', cancel)
  expect(await movementsOf('late')).toEqual(['authorization', 'void'])
})
