import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Inquiry, Lookup, Outcome } from '../port/port.ts'
import { intentOperations, type PaymentRequest } from './intent-acquirer.ts'
import { unknown } from './intent.ts'
import { ACTION, FakeIntents, type Fault, type Issuer, saleRequest } from './testing/fake-intents.ts'

// Proves reference/acquirers#outcomes.

const FORTY = Money.ofDecimal('USD', '40.00')

function setUp(issuer: Issuer = 'approves') {
  const fake = new FakeIntents()
  fake.issuer = issuer
  const never = { create: rejected, confirm: rejected, read: rejected, cancel: rejected }
  const acquirer = intentOperations({
    payments: fake,
    verifications: never,
    inquiries: { payments: fake, verifications: never },
    prepareVerification: rejected,
  })
  /** The row of the operation. */
  const row = { reference: null as string | null, isClosed: false }
  const commitReference = async (reference: string): Promise<boolean> => {
    fake.calls.push('commit')
    if (row.isClosed) return false
    row.reference = reference
    return true
  }
  const sale = (options: Partial<PaymentRequest> = {}) =>
    acquirer.sale(saleRequest({ commitReference, ...options }))
  return { fake, acquirer, row, sale, commitReference }
}

async function rejected(): Promise<never> {
  throw new Error('not part of this test')
}

function lookupOf(options: Partial<Lookup> = {}): Lookup {
  return {
    kind: 'sale',
    key: 'key-1',
    at: realClock.now(),
    reference: null,
    sentAt: realClock.now(),
    amount: Money.ofDecimal('USD', '10.00'),
    originalReference: null,
    returned: {},
    commitReference: async () => true,
    ...options,
  }
}

/** The first `times` requests of that name meet the fault. */
function fail(fake: FakeIntents, call: string, fault: Fault, times = 1): void {
  let left = times
  fake.faultOf = (name) => (name === call && left-- > 0 ? fault : null)
}

describe('a payment', () => {
  test('is confirmed only after its id is committed', async () => {
    const { fake, sale, row } = setUp()
    expect(await sale()).toMatchObject({ kind: 'approved', gatewayTransactionId: 'pi_1' })
    expect(fake.calls).toEqual(['create', 'commit', 'confirm'])
    expect(row.reference).toBe('pi_1')
  })

  test('whose id cannot be committed is never confirmed', async () => {
    const { fake, sale } = setUp()
    const taken = await sale({ commitReference: async () => false })
    const broken = await sale({ commitReference: () => Promise.reject(new Error('no database')) })
    expect([taken.kind, broken.kind]).toEqual(['unknown', 'unknown'])
    expect(fake.calls).toEqual(['create', 'create'])
  })

  test('whose creation was lost is closed by our own row, without a request', async () => {
    const { fake, acquirer, sale, row } = setUp()
    fail(fake, 'create', 'lost_after')
    expect((await sale()).kind).toBe('unknown')
    fake.calls.length = 0
    for (const ask of [acquirer.inquire, acquirer.closeKey]) {
      expect(await ask(lookupOf({ reference: row.reference }))).toEqual({ kind: 'absent', closed: true })
    }
    expect(fake.calls).toEqual([])
  })

  test('whose confirmation was booked and lost is found by its id', async () => {
    const { fake, acquirer, sale, row } = setUp()
    fail(fake, 'confirm', 'lost_after')
    expect((await sale()).kind).toBe('unknown')
    const lookup = lookupOf({ reference: row.reference })
    expect((await acquirer.inquire(lookup)).kind).toBe('approved')
    expect((await acquirer.closeKey(lookup)).kind).toBe('approved')
    expect(fake.moved).toBe(1)
  })

  test('that is closed can no longer be confirmed, however late', async () => {
    const { fake, acquirer, sale, row } = setUp()
    fail(fake, 'confirm', 'lost_before')
    await sale()
    const lookup = lookupOf({ reference: row.reference })
    expect(await acquirer.inquire(lookup)).toEqual({ kind: 'absent', closed: false })
    expect(await acquirer.closeKey(lookup)).toEqual({ kind: 'absent', closed: true })
    expect(fake.confirmNow('pi_1')).toMatchObject({ kind: 'refused' })
    expect(fake.moved).toBe(0)
  })

  test('is not closed while its cancellation is not confirmed', async () => {
    const { fake, acquirer, sale, row } = setUp()
    fail(fake, 'confirm', 'lost_before')
    await sale()
    fail(fake, 'cancel', 'lost_before')
    const lookup = lookupOf({ reference: row.reference })
    expect((await acquirer.closeKey(lookup)).kind).toBe('unknown')
    fail(fake, 'cancel', 'lost_after')
    expect(await acquirer.closeKey(lookup)).toEqual({ kind: 'absent', closed: true })
  })

  test('waits for the payer, who is sent to the bank', async () => {
    const { sale, acquirer, row } = setUp('asks_payer')
    expect(await sale()).toMatchObject({ kind: 'pending', nextAction: ACTION })
    const lookup = lookupOf({ reference: row.reference })
    expect(await acquirer.inquire(lookup)).toMatchObject({ kind: 'pending', nextAction: ACTION })
    expect(await acquirer.closeKey(lookup)).toEqual({ kind: 'absent', closed: true })
  })

  test('that no payer can act on is canceled and declined', async () => {
    const { sale, fake } = setUp('asks_in_script')
    expect(await sale()).toMatchObject({ kind: 'declined', responseCode: 'authentication_required' })
    expect(fake.stored.get('pi_1')?.state).toBe('canceled')
  })
})

describe('a decline', () => {
  test('counts only once the intent, which could be confirmed again, is canceled', async () => {
    const { fake, sale } = setUp('declines')
    expect(await sale()).toMatchObject({ kind: 'declined', responseCode: 'generic_decline' })
    expect(fake.calls).toEqual(['create', 'commit', 'confirm', 'cancel'])
  })

  test('is seen by reading when the answer to the cancellation is lost', async () => {
    const { fake, sale } = setUp('declines')
    fail(fake, 'cancel', 'lost_after')
    expect((await sale()).kind).toBe('declined')
    expect(fake.calls).toEqual(['create', 'commit', 'confirm', 'cancel', 'read'])
  })

  test('is unknown while the cancellation is not confirmed; the inquiry cancels', async () => {
    const { fake, acquirer, sale, row } = setUp('declines')
    fail(fake, 'cancel', 'lost_before')
    expect((await sale()).kind).toBe('unknown')
    const found = await acquirer.inquire(lookupOf({ reference: row.reference }))
    expect(found).toMatchObject({ kind: 'declined', responseCode: 'generic_decline' })
    expect(fake.stored.get('pi_1')?.state).toBe('canceled')
  })

  test('for want of the payer becomes a link, where the payer can be sent back to us', async () => {
    const offSession = { payerPresent: false }
    const linked = setUp('needs_payer')
    linked.fake.confirmNow = (id) => {
      const stored = linked.fake.stored.get(id)
      const isFirst = stored?.decline === null
      linked.fake.issuer = isFirst ? 'needs_payer' : 'asks_payer'
      return FakeIntents.prototype.confirmNow.call(linked.fake, id, !isFirst)
    }
    expect(await linked.sale(offSession)).toMatchObject({ kind: 'pending', nextAction: ACTION })
    expect(linked.fake.calls).toEqual(['create', 'commit', 'confirm', 'confirm again'])

    const alone = setUp('needs_payer')
    const { returnUrl: _, ...withoutUrl } = saleRequest({
      ...offSession,
      commitReference: alone.commitReference,
    })
    expect(await alone.acquirer.sale(withoutUrl)).toMatchObject({
      kind: 'declined',
      responseCode: 'authentication_required',
    })
  })
})

describe('an authorization', () => {
  async function authorized() {
    const context = setUp()
    const { acquirer, commitReference } = context
    const held = await acquirer.authorize(saleRequest({ commitReference, amount: FORTY }))
    expect(held.kind).toBe('approved')
    const request = { ...saleRequest({ amount: FORTY }), originalKey: 'key-1', originalReference: 'pi_1' }
    const lookup = (kind: Lookup['kind']) => lookupOf({ kind, originalReference: 'pi_1', amount: FORTY })
    return { ...context, request, lookup }
  }

  test('is captured once: a repeated capture that is refused reads the first one', async () => {
    const { acquirer, request, lookup } = await authorized()
    expect(await acquirer.inquire(lookup('capture'))).toEqual({ kind: 'absent', closed: false })
    expect((await acquirer.capture(request)).kind).toBe('approved')
    expect((await acquirer.capture(request)).kind).toBe('approved')
    expect((await acquirer.inquire(lookup('capture'))).kind).toBe('approved')
    const other = { ...request, amount: Money.ofDecimal('USD', '5.00') }
    expect((await acquirer.capture(other)).kind).toBe('refused')
    expect(await acquirer.inquire({ ...lookup('capture'), amount: other.amount })).toEqual({
      kind: 'absent',
      closed: true,
    })
    expect((await acquirer.void(request)).kind).toBe('refused')
    expect(await acquirer.inquire(lookup('void'))).toEqual({ kind: 'absent', closed: true })
  })

  test('is voided once, and a capture of it is then refused', async () => {
    const { acquirer, request, lookup, fake } = await authorized()
    expect(await acquirer.inquire(lookup('void'))).toEqual({ kind: 'absent', closed: false })
    fail(fake, 'cancel', 'lost_after')
    expect((await acquirer.void(request)).kind).toBe('unknown')
    expect((await acquirer.inquire(lookup('void'))).kind).toBe('approved')
    expect((await acquirer.void(request)).kind).toBe('approved')
    expect((await acquirer.capture(request)).kind).toBe('refused')
    expect(await acquirer.inquire(lookup('capture'))).toEqual({ kind: 'absent', closed: true })
  })

  test('keeps a refused follow-up unknown while it cannot be read', async () => {
    const { acquirer, request, fake } = await authorized()
    await acquirer.capture(request)
    fail(fake, 'read', 'lost_before')
    expect((await acquirer.capture(request)).kind).toBe('unknown')
  })
})

describe('a refund', () => {
  const request = { ...saleRequest(), key: 'refund-1', originalKey: 'key-1', originalReference: 'pi_1' }
  const lookup = (hours: number): Lookup =>
    lookupOf({
      kind: 'refund',
      key: 'refund-1',
      originalReference: 'pi_1',
      sentAt: realClock.now().subtract({ seconds: hours * 3600 }),
    })

  test('whose answer was lost is found among the refunds of its payment', async () => {
    for (const hours of [1, 100]) {
      const { fake, acquirer } = setUp()
      fail(fake, 'refund', 'lost_after')
      expect((await acquirer.refund(request)).kind).toBe('unknown')
      const found = await acquirer.inquire(lookup(hours))
      expect(found).toMatchObject({ kind: 'approved', gatewayTransactionId: 're_1' })
      expect(fake.refunds).toHaveLength(1)
    }
  })

  test('that is not there is sent again for 23 h; then a person must decide', async () => {
    const { fake, acquirer } = setUp()
    fail(fake, 'refund', 'lost_before')
    await acquirer.refund(request)
    expect((await acquirer.inquire(lookup(23.01))).kind).toBe('unknown')
    expect((await acquirer.closeKey(lookup(23.01))).kind).toBe('unknown')
    expect(fake.refunds).toHaveLength(0)
    expect((await acquirer.inquire(lookup(22.99))).kind).toBe('approved')
    expect(fake.refunds).toHaveLength(1)
  })

  test('is not sent again while its payment cannot be read', async () => {
    const { fake, acquirer } = setUp()
    fail(fake, 'look', 'lost_before')
    expect((await acquirer.inquire(lookup(1))).kind).toBe('unknown')
    expect(fake.calls).toEqual(['look'])
  })

  test.each([
    ['charge_already_refunded', { kind: 'absent', closed: true }],
    ['not_authorized', unknown('No.')],
  ])('that is refused as %s when sent again', async (responseCode, expected) => {
    const { fake, acquirer } = setUp()
    fake.refund = async () => ({ kind: 'refused', responseCode, responseMessage: 'No.' })
    expect(await acquirer.inquire(lookup(1))).toEqual(expected)
  })
})

const faults = fc.infiniteStream(fc.constantFrom<Fault>(null, null, 'lost_before', 'lost_after'))
const issuers = fc.constantFrom<Issuer>('approves', 'declines', 'needs_payer', 'asks_payer', 'asks_in_script')

test('money moves at most once, and "absent" or "declined" is never said of money that moved', async () => {
  await fc.assert(
    fc.asyncProperty(issuers, fc.boolean(), faults, async (issuer, payerPresent, stream) => {
      const { fake, acquirer, row, sale } = setUp(issuer)
      const fates = stream[Symbol.iterator]()
      fake.faultOf = () => fates.next().value ?? null
      let result: Outcome | Inquiry = await sale({ payerPresent })
      row.isClosed = true
      for (let round = 0; round < 50 && !isFinal(result); round++) {
        const lookup = lookupOf({ reference: row.reference })
        result = await acquirer.inquire(lookup)
        if (!isFinal(result)) result = await acquirer.closeKey(lookup)
      }
      for (const id of fake.stored.keys()) if (id === row.reference) fake.confirmNow(id)
      expect(isFinal(result)).toBe(true)
      expect(fake.moved).toBe(result.kind === 'approved' ? 1 : 0)
    }),
    { numRuns: 500 },
  )
})

function isFinal(result: Outcome | Inquiry): boolean {
  if (result.kind === 'absent') return result.closed
  return result.kind === 'approved' || result.kind === 'declined' || result.kind === 'refused'
}
