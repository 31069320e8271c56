import { beforeEach, describe, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { ChargeRequest, Lookup, Outcome } from '../../port/port.ts'
import { card, chargeCall, followUp, lookup, newKey, startAdyenTwin } from '../testing/adyen-twin.ts'
import { said } from '../../testing/said.ts'

// Proves reference/acquirers#adyen.
const { twin, acquirer, booked, notices, receiveNotices, noticesOf, reset } = await startAdyenTwin()
const AUTHORIZED = 'authorization 10.00 approved'
const CAPTURED = 'capture 10.00 approved'
const CANCELED = 'void 10.00 approved'

beforeEach(reset)

type Kind = 'sale' | 'authorization'

function send(kind: Kind, request: ChargeRequest): Promise<Outcome> {
  return kind === 'sale' ? acquirer.sale(request) : acquirer.authorize(request)
}

/** A payment of which one answer got lost, and how to ask about it. */
async function lose(kind: Kind, match: string, fault: 'lose_answer' | 'fail_before' = 'lose_answer') {
  await twin.setFaults({ [fault]: 1, match })
  const { request, committed } = chargeCall()
  expect(said(await send(kind, request))).toBe('unknown')
  await twin.setFaults({})
  return { key: request.key, question: lookup(request.key, { kind, reference: committed() }) }
}

describe.each(['sale', 'authorization'] as const)('a lost answer to the authorization of a(n) %s', (kind) => {
  test('is canceled by its key where no notice has come', async () => {
    const { key, question } = await lose(kind, '/payments$')
    expect(question.reference).toBeNull()
    expect(said(await acquirer.inquire(question))).toBe('absent')
    expect(said(await acquirer.closeKey(question))).toBe('absent forever')
    expect(said(await acquirer.closeKey(question))).toBe('absent forever')
    expect(await booked(key)).toEqual([AUTHORIZED, CANCELED])
  })

  test('is closed where nothing was booked', async () => {
    const { key, question } = await lose(kind, '/payments$', 'fail_before')
    expect(said(await acquirer.inquire(question))).toBe('absent')
    expect(said(await acquirer.closeKey(question))).toBe('absent forever')
    expect(await booked(key)).toEqual([])
  })

  test('is not closed while Adyen does not confirm the cancel', async () => {
    const { question } = await lose(kind, '/payments$')
    await twin.setFaults({ fail_before: 1 })
    expect(said(await acquirer.closeKey(question))).toBe('unknown')
  })

  test('stays canceled when its notices come late', async () => {
    await receiveNotices()
    const { key, question } = await lose(kind, '/payments$')
    await noticesOf(key, 'AUTHORISATION')
    const late = notices.splice(0)
    expect(said(await acquirer.closeKey(question))).toBe('absent forever')
    await noticesOf(key, 'TECHNICAL_CANCEL')
    notices.push(...late)
    expect(said(await acquirer.inquire(question))).toBe('absent forever')
    expect(await booked(key)).toEqual([AUTHORIZED, CANCELED])
  })

  test('whose bank declined is declined by the notice', async () => {
    await receiveNotices()
    await twin.setFaults({ lose_answer: 1, match: '/payments$' })
    const { request } = chargeCall({ instrument: card('BLOCK_CARD') })
    expect(said(await send(kind, request))).toBe('unknown')
    await twin.setFaults({})
    await noticesOf(request.key, 'AUTHORISATION')
    const inquiry = await acquirer.inquire(lookup(request.key, { kind }))
    expect(inquiry).toMatchObject({ kind: 'declined', hard: true, responseMessage: 'Blocked Card' })
  })

  test('does not become a payment that somebody else could also capture', async () => {
    const { request } = chargeCall({ commitReference: async () => false })
    expect(said(await send(kind, request))).toBe('unknown')
    expect(said(await acquirer.closeKey(lookup(request.key, { kind })))).toBe('absent forever')
    expect(await booked(request.key)).toEqual([AUTHORIZED, CANCELED])
  })
})

describe('the notice of an authorization whose answer got lost', () => {
  test('completes a sale, which is approved once the capture is confirmed', async () => {
    await receiveNotices({ repeat: 1 })
    const { key, question } = await lose('sale', '/payments$')
    await noticesOf(key, 'AUTHORISATION', 2)
    expect(said(await acquirer.inquire(question))).toBe('pending Authorised')
    await noticesOf(key, 'CAPTURE', 2)
    expect(said(await acquirer.inquire(question))).toBe('approved Authorised')
    expect(said(await acquirer.closeKey(question))).toBe('approved Authorised')
    expect(await booked(key)).toEqual([AUTHORIZED, CAPTURED])
  })

  test('approves no sale that was canceled before, by a process that died', async () => {
    await receiveNotices()
    const { key, question } = await lose('sale', '/payments$')
    await noticesOf(key, 'AUTHORISATION')
    const authorisation = notices.splice(0)
    expect(said(await acquirer.closeKey(question))).toBe('absent forever')
    await noticesOf(key, 'TECHNICAL_CANCEL')
    const cancel = notices.splice(0, notices.length, ...authorisation)
    expect(said(await acquirer.inquire(question))).toBe('pending Authorised')
    await noticesOf(key, 'CAPTURE')
    expect(said(await acquirer.inquire(question))).toBe('unknown')
    notices.push(...cancel)
    expect(said(await acquirer.inquire(question))).toBe('absent forever')
    expect((await booked(key)).filter((line) => line.endsWith('approved'))).toEqual([AUTHORIZED, CANCELED])
  })

  test('frees an authorization, which the caller never learned of', async () => {
    await receiveNotices()
    const { key, question } = await lose('authorization', '/payments$')
    await noticesOf(key, 'AUTHORISATION')
    expect(said(await acquirer.inquire(question))).toBe('absent')
    expect(said(await acquirer.closeKey(question))).toBe('absent forever')
    expect(await booked(key)).toEqual([AUTHORIZED, CANCELED])
  })
})

describe('a sale whose reference is committed', () => {
  test.each(['lose_answer', 'fail_before'] as const)(
    'is captured once when %s hit the capture',
    async (fault) => {
      const { key, question } = await lose('sale', 'captures$', fault)
      expect(question.reference).toMatch(/^[A-Z0-9]{16}$/)
      expect(said(await acquirer.inquire(question))).toBe('approved Authorised')
      expect(said(await acquirer.inquire(question))).toBe('approved Authorised')
      expect(said(await acquirer.closeKey(question))).toBe('approved Authorised')
      expect(await booked(key)).toEqual([AUTHORIZED, CAPTURED])
    },
  )

  test('stays unknown while the capture gets no answer', async () => {
    const { key, question } = await lose('sale', 'captures$', 'fail_before')
    await twin.setFaults({ fail_before: 1, match: 'captures$' })
    expect(said(await acquirer.inquire(question))).toBe('unknown')
    expect(await booked(key)).toEqual([AUTHORIZED])
  })

  test('is not captured again once Adyen forgets keys, but its notice still reports it', async () => {
    const { key, question } = await lose('sale', 'captures$', 'fail_before')
    const old: Lookup = { ...question, sentAt: realClock.now().subtract({ hours: 7 * 24 }) }
    expect(said(await acquirer.inquire(old))).toBe('unknown')
    expect(await booked(key)).toEqual([AUTHORIZED])
    await receiveNotices()
    await acquirer.inquire(question)
    await noticesOf(key, 'CAPTURE')
    expect(said(await acquirer.inquire(old))).toBe('approved Authorised')
  })

  test('moves money once although Adyen forgot the key of its capture', async () => {
    const { key, question } = await lose('sale', 'captures$')
    await twin.pruneKeys()
    expect(said(await acquirer.inquire(question))).toBe('approved Authorised')
    expect((await booked(key)).filter((line) => line === CAPTURED)).toHaveLength(1)
  })

  test('is approved although the notice that refuses its second capture comes before that of the first', async () => {
    await receiveNotices()
    const { key, question } = await lose('sale', 'captures$')
    await noticesOf(key, 'CAPTURE')
    const first = notices.splice(0).find(({ type }) => type === 'CAPTURE')
    if (first === undefined) throw new Error('no notice')
    await twin.pruneKeys()
    await acquirer.inquire(question)
    await noticesOf(key, 'CAPTURE')
    expect(said(await acquirer.inquire(question))).toBe('unknown')
    await noticesOf(key, 'CANCELLATION')
    expect(said(await acquirer.inquire(question))).toBe('unknown')
    notices.push(first)
    expect(said(await acquirer.inquire(question))).toBe('approved Authorised')
    expect((await booked(key)).filter((line) => line.endsWith('approved'))).toEqual([AUTHORIZED, CAPTURED])
  })

  test('whose capture failed at the bank is declined while it is open', async () => {
    await receiveNotices()
    await twin.setFaults({ lose_answer: 1, match: 'captures$' })
    const { request, committed } = chargeCall({ instrument: card('capture failed') })
    expect(said(await acquirer.sale(request))).toBe('unknown')
    await twin.setFaults({})
    await noticesOf(request.key, 'CAPTURE_FAILED')
    const question = lookup(request.key, { reference: committed() })
    expect(said(await acquirer.inquire(question))).toBe('declined capture_failed')
  })
})

test('an authorization whose reference is committed is approved', async () => {
  const { request, committed } = chargeCall()
  await acquirer.authorize(request)
  const question = lookup(request.key, { kind: 'authorization', reference: committed() })
  expect(said(await acquirer.inquire(question))).toBe('approved Authorised')
  expect(await booked(request.key)).toEqual([AUTHORIZED])
})

test('a payment that Adyen has only received is pending until its notice', async () => {
  await receiveNotices()
  const { request, committed } = chargeCall({ instrument: card('PENDING') })
  expect(said(await acquirer.sale(request))).toBe('pending Received')
  const question = lookup(request.key, { reference: committed() })
  expect(said(await acquirer.inquire(question))).toBe('pending Pending')
  await twin.advanceClock(3)
  await noticesOf(request.key, 'AUTHORISATION')
  expect(said(await acquirer.inquire(question))).toBe('approved Authorised')
  expect(await booked(request.key)).toEqual([AUTHORIZED, CAPTURED])
})

describe.each(['capture', 'refund', 'void'] as const)('a lost %s', (kind) => {
  async function lost(fault: 'lose_answer' | 'fail_before', holderName = 'Chan Tai Man') {
    const { request } = chargeCall({ instrument: card(holderName) })
    const paid = await send(kind === 'refund' ? 'sale' : 'authorization', request)
    const originalReference = paid.kind === 'approved' ? paid.gatewayTransactionId : ''
    await twin.setFaults({ [fault]: 1 })
    const operation = followUp(originalReference)
    expect(said(await acquirer[kind](operation))).toBe('unknown')
    await twin.setFaults({})
    return { operation, question: lookup(operation.key, { kind, originalReference }) }
  }

  test.each(['lose_answer', 'fail_before'] as const)(
    'is sent again under its key after %s',
    async (fault) => {
      const { operation, question } = await lost(fault)
      expect(said(await acquirer.inquire(question))).toBe('absent')
      expect(said(await acquirer.closeKey(question))).toBe('absent')
      expect(said(await acquirer[kind](operation))).toBe(
        kind === 'void' ? 'pending received' : 'approved received',
      )
      expect(await booked(operation.key)).toEqual([`${kind} 10.00 approved`])
    },
  )

  test('is found out by its notice', async () => {
    await receiveNotices({ repeat: 2, shuffle: true })
    const { question } = await lost('lose_answer')
    const type = { capture: 'CAPTURE', refund: 'REFUND', void: 'CANCELLATION' }[kind]
    await noticesOf(question.key, type)
    const inquiry = await acquirer.inquire(question)
    expect(said(inquiry)).toBe('approved received')
  })

  test('is not sent again after a week if it is a refund', async () => {
    const { question } = await lost('lose_answer')
    const old: Lookup = { ...question, sentAt: realClock.now().subtract({ hours: 7 * 24 }) }
    expect(said(await acquirer.inquire(old))).toBe(kind === 'refund' ? 'unknown' : 'absent')
  })

  test.skipIf(kind === 'void')('that failed at the bank is declined by its notice', async () => {
    await receiveNotices()
    const { question } = await lost('lose_answer', `${kind} failed`)
    await noticesOf(question.key, `${kind.toUpperCase()}_FAILED`)
    expect(said(await acquirer.inquire(question))).toBe(`declined ${kind}_failed`)
  })
})

test('a refund that Adyen refuses later is declined by its notice', async () => {
  await receiveNotices()
  const { request } = chargeCall()
  const paid = await acquirer.authorize(request)
  const originalReference = paid.kind === 'approved' ? paid.gatewayTransactionId : ''
  const refund = followUp(originalReference)
  await acquirer.refund(refund)
  await noticesOf(refund.key, 'REFUND')
  const question = lookup(refund.key, { kind: 'refund', originalReference })
  expect(await acquirer.inquire(question)).toMatchObject({
    kind: 'declined',
    responseCode: 'refund_failed',
    responseMessage: "Transaction hasn't been captured, refund not possible",
  })
})

test('a key that Adyen has never seen is absent, and closed for good', async () => {
  const key = newKey()
  expect(said(await acquirer.inquire(lookup(key)))).toBe('absent')
  expect(said(await acquirer.closeKey(lookup(key)))).toBe('absent forever')
})
