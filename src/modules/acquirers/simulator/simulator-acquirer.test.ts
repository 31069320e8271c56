import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSimulatorAcquirer, type Instrument, type Simulator, startSimulator } from '../index.ts'
import {
  type BookLine,
  card,
  charge,
  hkd,
  putFaults,
  readBooks,
  START,
  temporaryDirectory,
  lookup,
  verification,
  followUp,
} from '../testing/simulator.ts'
import { said } from '../testing/said.ts'

let temporary: Awaited<ReturnType<typeof temporaryDirectory>>
let simulator: Simulator
let acquirer: ReturnType<typeof createSimulatorAcquirer>
/** A short timeout, for requests that never get a response. */
let impatient: ReturnType<typeof createSimulatorAcquirer>

beforeAll(async () => {
  temporary = await temporaryDirectory()
  simulator = await startSimulator({ port: 0, dir: temporary.dir, log: pino({ level: 'silent' }) })
  acquirer = createSimulatorAcquirer({ url: simulator.url, merchantId: 'M1' })
  impatient = createSimulatorAcquirer({ url: simulator.url, merchantId: 'M1', timeoutMs: 400 })
})
afterAll(async () => {
  await acquirer.close()
  await impatient.close()
  await simulator.close()
  await temporary.remove()
})
beforeEach(async () => {
  await putFaults(simulator.url, {})
})

let count = 0
function newKey(): string {
  return `txn_${++count}`
}

async function booked(key: string): Promise<BookLine[]> {
  return (await readBooks(simulator.url)).filter((line) => line.key === key)
}

/** The outcome without the acquirer's references. */
const WALLET: Instrument = { type: 'wallet_a_pay', autoDebit: false }
const AUTO_DEBIT: Instrument = { type: 'wallet_b', autoDebit: true }

// Proves reference/sandbox#test-cards, reference/sandbox#simulator, reference/sandbox#asynchronous-wallets.
describe('test cards', () => {
  test.each([
    ['4242424242424242', 'approved approved', 'approved approved'],
    ['5555555555554444', 'approved approved', 'approved approved'],
    ['378282246310005', 'approved approved', 'approved approved'],
    ['6205500000000000004', 'approved approved', 'approved approved'],
    ['4000000000000002', 'declined card_declined', 'declined card_declined'],
    ['4000000000009995', 'declined insufficient_funds', 'approved approved'],
    ['4000000000009987', 'declined lost_card hard', 'approved approved'],
    ['4000000000009979', 'declined stolen_card hard', 'approved approved'],
    ['4000000000000069', 'declined expired_card', 'approved approved'],
    ['4000000000000341', 'declined card_declined', 'approved approved'],
    ['4000002500003155', 'pending pending', 'pending pending'],
    ['4000000000000119', 'unknown', 'approved approved'],
    ['4000000000000127', 'unknown', 'approved approved'],
    ['4539578763621486', 'refused not_a_test_card', 'refused not_a_test_card'],
  ])('%s charged is %s, bound is %s', async (number, charged, bound) => {
    const instrument = card(number)
    const client = charged === 'unknown' ? impatient : acquirer
    expect(said(await client.sale(charge(newKey(), { instrument })))).toBe(charged)
    expect(said(await client.authorize(charge(newKey(), { instrument })))).toBe(charged)
    expect(said(await acquirer.verify(verification({ key: newKey(), at: START, instrument })))).toBe(bound)
  })

  test('…0119 books nothing: an inquiry reports absent, and closing the key makes that final', async () => {
    const key = newKey()
    const sale = impatient.sale(charge(key, { instrument: card('4000000000000119') }))
    expect(said(await acquirer.inquire(lookup(key)))).toBe('absent')
    expect(said(await sale)).toBe('unknown')
    expect(said(await acquirer.closeKey(lookup(key)))).toBe('absent forever')
    expect(await booked(key)).toEqual([])
  })

  test('…0127 books without responding: an inquiry reports the approval', async () => {
    const key = newKey()
    const request = charge(key, { instrument: card('4000000000000127') })
    expect(said(await impatient.sale(request))).toBe('unknown')
    expect(said(await impatient.sale(request))).toBe('unknown')
    expect(said(await acquirer.inquire(lookup(key)))).toBe('approved approved')
    expect(said(await acquirer.closeKey(lookup(key)))).toBe('approved approved')
    expect(await booked(key)).toHaveLength(1)
  })

  test('a verification moves no money, is absent from the books, and an inquiry finds it', async () => {
    const key = newKey()
    await acquirer.verify(verification({ key, at: START, instrument: card() }))
    expect(said(await acquirer.inquire(lookup(key)))).toBe('approved approved')
    expect(await booked(key)).toEqual([])
  })
})

describe('3-D Secure', () => {
  const instrument = card('4000002500003155')

  test('declines with authentication_required when the payer is absent', async () => {
    const outcome = await acquirer.sale(charge(newKey(), { instrument, payerPresent: false }))
    expect(said(outcome)).toBe('declined authentication_required')
  })

  test('waits for the payer, whose confirmation books it once and redirects back', async () => {
    const key = newKey()
    const returnUrl = 'https://shop.example/back?a=1&b="單"\r\nx: y'
    const outcome = await acquirer.sale(charge(key, { instrument, returnUrl }))
    if (outcome.kind !== 'pending') throw new Error(outcome.kind)
    expect(outcome.nextAction).toEqual({
      type: 'three_d_secure',
      url: `${simulator.url}/payments/${key}/page`,
    })
    const page = await (await fetch(outcome.nextAction?.url ?? '')).text()
    expect(page).toContain('HK$150.50')
    expect(page).toContain('action="confirm"')
    expect(await booked(key)).toEqual([])
    for (const _again of [1, 2]) {
      const pressed = await fetch(`${simulator.url}/payments/${key}/confirm`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        redirect: 'manual',
      })
      expect(pressed.status).toBe(303)
      expect(pressed.headers.get('location')).toBe(new URL(returnUrl).href)
    }
    expect(said(await acquirer.inquire(lookup(key)))).toBe('approved approved')
    expect(await booked(key)).toHaveLength(1)
    const after = await (await fetch(`${simulator.url}/payments/${key}/page`)).text()
    expect(after).toContain('href="https://shop.example/back?a=1&amp;b=%22%E5%96%AE%22x:%20y"')
  })

  test('a payer who declines causes authentication_failed and cannot confirm afterwards', async () => {
    const key = newKey()
    await acquirer.verify(verification({ key, at: START, instrument }))
    await fetch(`${simulator.url}/payments/${key}/decline`, { method: 'POST' })
    expect(said(await acquirer.inquire(lookup(key)))).toBe('declined authentication_failed')
    const confirm = await fetch(`${simulator.url}/payments/${key}/confirm`, { method: 'POST' })
    expect(confirm.status).toBe(409)
    expect(said(await acquirer.inquire(lookup(key)))).toBe('declined authentication_failed')
  })
})

describe('wallets', () => {
  test('a payer can confirm for 24 hours of our clock, and the booking carries the last time we sent', async () => {
    const key = newKey()
    const outcome = await acquirer.sale(charge(key, { instrument: WALLET }))
    expect(outcome).toMatchObject({ kind: 'pending', nextAction: { type: 'wallet_confirmation' } })
    expect(said(await acquirer.inquire(lookup(key, START.add({ hours: 24 }))))).toBe('pending pending')
    const confirm = await fetch(`${simulator.url}/payments/${key}/confirm`, { method: 'POST' })
    expect(await confirm.json()).toMatchObject({ status: 'approved' })
    expect(await booked(key)).toEqual([
      {
        key,
        operation: 'sale',
        amount: '150.50',
        currency: 'HKD',
        outcome: 'approved',
        booked_at: '2031-03-06T10:00:00.000Z',
      },
    ])
  })

  test('after 24 hours the payment expires for good and is never booked', async () => {
    const key = newKey()
    await acquirer.sale(charge(key, { instrument: WALLET }))
    const late = START.add({ hours: 24, milliseconds: 1 })
    expect(said(await acquirer.inquire(lookup(key, late)))).toBe('declined expired')
    expect(said(await acquirer.inquire(lookup(key)))).toBe('declined expired')
    const confirm = await fetch(`${simulator.url}/payments/${key}/confirm`, { method: 'POST' })
    expect(confirm.status).toBe(409)
    expect(await booked(key)).toEqual([])
  })

  test('an auto-debit completes after one second of our clock, without the payer', async () => {
    const key = newKey()
    const outcome = await acquirer.sale(charge(key, { instrument: AUTO_DEBIT, payerPresent: false }))
    expect(outcome.kind === 'pending' && outcome.nextAction === undefined).toBe(true)
    await sleep(1100)
    expect(said(await acquirer.inquire(lookup(key, START.add({ milliseconds: 999 }))))).toBe(
      'pending pending',
    )
    expect(await booked(key)).toEqual([])
    expect(said(await acquirer.inquire(lookup(key, START.add({ hours: 5 }))))).toBe('approved approved')
    expect(await booked(key)).toMatchObject([{ outcome: 'approved', booked_at: '2031-03-05T10:00:01.000Z' }])
  })

  test('verifying an auto-debit agreement succeeds at once; a wallet without one waits for the payer', async () => {
    expect(
      said(await acquirer.verify(verification({ key: newKey(), at: START, instrument: AUTO_DEBIT }))),
    ).toBe('approved approved')
    const waiting = await acquirer.verify(verification({ key: newKey(), at: START, instrument: WALLET }))
    expect(waiting).toMatchObject({ kind: 'pending', nextAction: { type: 'wallet_confirmation' } })
  })

  test('closing the key of a waiting payment cancels it: nobody can confirm or resend it', async () => {
    const key = newKey()
    await acquirer.sale(charge(key, { instrument: WALLET }))
    expect(said(await acquirer.closeKey(lookup(key)))).toBe('absent forever')
    const confirm = await fetch(`${simulator.url}/payments/${key}/confirm`, { method: 'POST' })
    expect(confirm.status).toBe(409)
    expect(said(await acquirer.sale(charge(key, { instrument: WALLET })))).toBe('refused key_closed')
    expect(said(await acquirer.inquire(lookup(key)))).toBe('absent forever')
    expect(await booked(key)).toEqual([])
  })
})

describe('keys', () => {
  test('50 concurrent requests with one key book once and get the same response', async () => {
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 50 }, () => acquirer.sale(charge(key))))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ kind: 'approved', batchNumber: '20310305' })
    expect(await booked(key)).toHaveLength(1)
  })

  test('repeating a request later returns the same response', async () => {
    const key = newKey()
    const first = await acquirer.sale(charge(key))
    expect(await acquirer.sale(charge(key, { at: START.add({ hours: 3 }) }))).toEqual(first)
    expect(await acquirer.inquire(lookup(key, START.add({ hours: 4 })))).toEqual(first)
  })

  test.each([
    ['amount', { amount: hkd('150.51') }],
    ['card', { instrument: card('5555555555554444') }],
  ])('another %s under a used key is refused', async (_what, changes) => {
    const key = newKey()
    await acquirer.sale(charge(key))
    expect(said(await acquirer.sale(charge(key, changes)))).toBe('refused key_reused')
    expect(said(await acquirer.authorize(charge(key)))).toBe('refused key_reused')
    expect(await booked(key)).toHaveLength(1)
  })

  test('a closed key never books, and closing it again changes nothing', async () => {
    const key = newKey()
    expect(said(await acquirer.inquire(lookup(key)))).toBe('absent')
    expect(said(await acquirer.closeKey(lookup(key)))).toBe('absent forever')
    expect(said(await acquirer.sale(charge(key)))).toBe('refused key_closed')
    expect(said(await acquirer.closeKey(lookup(key)))).toBe('absent forever')
    expect(await booked(key)).toEqual([])
  })

  test('closing and charging concurrently: either close returns the booking, or nothing is booked', async () => {
    const results = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const key = newKey()
        const [sale, closed] = await Promise.all([acquirer.sale(charge(key)), acquirer.closeKey(lookup(key))])
        return `${key} ${said(sale)}, ${said(closed)}, ${(await booked(key)).length}`
      }),
    )
    for (const result of results) {
      expect(result).toMatch(
        / (approved approved, approved approved, 1|refused key_closed, absent forever, 0)$/,
      )
    }
  })
})

describe('captures, refunds and voids', () => {
  async function original(operation: 'sale' | 'authorize', amount = '100.00'): Promise<string> {
    const key = newKey()
    expect((await acquirer[operation](charge(key, { amount: hkd(amount) }))).kind).toBe('approved')
    return key
  }
  async function follow(
    operation: 'capture' | 'refund' | 'void',
    originalKey: string,
    amount: string,
  ): Promise<{ key: string; said: string }> {
    const key = newKey()
    const outcome = await acquirer[operation](followUp({ key, at: START, amount: hkd(amount), originalKey }))
    return { key, said: said(outcome) }
  }

  test('captures never exceed the authorization, and a voided capture frees its amount', async () => {
    const key = await original('authorize')
    const first = await follow('capture', key, '60.00')
    expect(first.said).toBe('approved approved')
    expect((await follow('capture', key, '40.01')).said).toBe('refused amount_too_large')
    expect((await follow('void', key, '100.00')).said).toBe('refused original_captured')
    expect((await follow('void', first.key, '60.00')).said).toBe('approved approved')
    expect((await follow('capture', key, '100.00')).said).toBe('approved approved')
    expect((await follow('capture', key, '0.01')).said).toBe('refused amount_too_large')
    expect(await booked(first.key)).toMatchObject([
      { operation: 'capture', original_key: key, amount: '60.00' },
    ])
  })

  test('refunds never exceed the sale or the capture, even 20 at once', async () => {
    const sale = await original('sale')
    const refunds = await Promise.all(Array.from({ length: 20 }, () => follow('refund', sale, '9.00')))
    expect(refunds.filter((refund) => refund.said === 'approved approved')).toHaveLength(11)
    expect((await follow('refund', sale, '1.01')).said).toBe('refused amount_too_large')
    const authorization = await original('authorize')
    expect((await follow('refund', authorization, '1.00')).said).toBe('refused original_not_fitting')
    const capture = await follow('capture', authorization, '70.00')
    expect((await follow('refund', capture.key, '70.00')).said).toBe('approved approved')
  })

  test('a void covers the full amount, happens once, and rules out any other follow-up', async () => {
    const sale = await original('sale')
    expect((await follow('void', sale, '99.99')).said).toBe('refused void_not_whole')
    expect((await follow('void', sale, '100.00')).said).toBe('approved approved')
    expect((await follow('void', sale, '100.00')).said).toBe('refused original_voided')
    expect((await follow('refund', sale, '1.00')).said).toBe('refused original_voided')
    const authorization = await original('authorize')
    expect((await follow('void', authorization, '100.00')).said).toBe('approved approved')
    expect((await follow('capture', authorization, '1.00')).said).toBe('refused original_voided')
  })

  test('a refunded payment cannot be voided, and a missing or unapproved one takes no follow-up', async () => {
    const sale = await original('sale')
    await follow('refund', sale, '1.00')
    expect((await follow('void', sale, '100.00')).said).toBe('refused original_refunded')
    expect((await follow('refund', 'txn_nobody', '1.00')).said).toBe('refused original_not_found')
    const waiting = newKey()
    await acquirer.sale(charge(waiting, { instrument: WALLET }))
    expect((await follow('refund', waiting, '1.00')).said).toBe('refused original_not_approved')
  })

  test('an auto-debit sale can be refunded after its second without an inquiry first', async () => {
    const key = newKey()
    await acquirer.sale(charge(key, { instrument: AUTO_DEBIT }))
    const at = START.add({ seconds: 1 })
    const refund = { key: newKey(), at, amount: hkd('150.50'), originalKey: key }
    expect(said(await acquirer.refund(followUp(refund)))).toBe('approved approved')
    expect((await readBooks(simulator.url)).slice(-2).map((line) => line.operation)).toEqual([
      'sale',
      'refund',
    ])
  })
})

describe('faults', () => {
  test('fail_before responds 500 and books nothing; a retry with the same key books', async () => {
    const key = newKey()
    await putFaults(simulator.url, { fail_before: 1 })
    expect(said(await acquirer.sale(charge(key)))).toBe('unknown')
    expect(said(await acquirer.inquire(lookup(key)))).toBe('absent')
    await putFaults(simulator.url, {})
    expect(said(await acquirer.sale(charge(key)))).toBe('approved approved')
    expect(await booked(key)).toHaveLength(1)
  })

  test.each(['fail_after', 'lose_answer'])(
    '%s makes the outcome unknown, and an inquiry finds the booking',
    async (fault) => {
      const key = newKey()
      await putFaults(simulator.url, { [fault]: 1 })
      expect(said(await acquirer.sale(charge(key)))).toBe('unknown')
      expect(said(await acquirer.sale(charge(key)))).toBe('unknown')
      expect(said(await acquirer.inquire(lookup(key)))).toBe('approved approved')
      expect(await booked(key)).toHaveLength(1)
    },
  )

  test('latency above the timeout makes the outcome unknown, and the request still books', async () => {
    const key = newKey()
    await putFaults(simulator.url, { latency_ms: 700 })
    expect(said(await impatient.sale(charge(key)))).toBe('unknown')
    await putFaults(simulator.url, {})
    await expect.poll(async () => said(await acquirer.inquire(lookup(key)))).toBe('approved approved')
  })

  test('a key closed while its charge is delayed never books', async () => {
    const key = newKey()
    // Longer than a busy machine takes to close the key.
    await putFaults(simulator.url, { latency_ms: 6_000 })
    const sale = acquirer.sale(charge(key))
    await sleep(500)
    await putFaults(simulator.url, {})
    expect(said(await acquirer.closeKey(lookup(key)))).toBe('absent forever')
    expect(said(await sale)).toBe('refused key_closed')
    expect(await booked(key)).toEqual([])
  })

  test('the same seed injects the same failures', async () => {
    const choices = async (): Promise<string> => {
      await putFaults(simulator.url, { fail_before: 0.4, fail_after: 0.3, seed: 7 })
      let text = ''
      for (let n = 0; n < 30; n++) text += said(await acquirer.sale(charge(newKey())))[0]
      return text
    }
    const first = await choices()
    expect(new Set(first)).toEqual(new Set(['a', 'u']))
    expect(await choices()).toBe(first)
  })

  test.each([
    ['latency_ms', { latency_ms: '5' }],
    ['latency_ms', { latency_ms: 1.5 }],
    ['fail_before', { fail_before: 1.01 }],
    ['fail_after', { fail_after: true }],
    ['lose_answer', { lose_answer: null }],
    ['lost_answer', { lost_answer: 1 }],
  ])('a wrong %s is a 400 that names it and changes nothing', async (param, faults) => {
    await putFaults(simulator.url, { fail_before: 0.25, seed: 1 })
    const response = await putFaults(simulator.url, faults)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param } })
    const settings = await (await fetch(`${simulator.url}/faults`)).json()
    expect(settings).toEqual({ latency_ms: 0, fail_before: 0.25, fail_after: 0, lose_answer: 0, seed: 1 })
  })
})

test('100 charges that wait for a connection longer than the timeout are still sent', async () => {
  await putFaults(simulator.url, { latency_ms: 4_000 })
  const client = createSimulatorAcquirer({ url: simulator.url, merchantId: 'M1', timeoutMs: 7_500 })
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, newKey).map((key) => client.sale(charge(key))),
  )
  await client.close()
  expect(new Set(outcomes.map(said))).toEqual(new Set(['approved approved']))
})
