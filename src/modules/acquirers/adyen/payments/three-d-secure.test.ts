import { beforeEach, describe, expect, test } from 'vitest'
import { card, chargeCall, decide, lookup, startAdyenTwin, THREE_D_SECURE } from '../testing/adyen-twin.ts'
import { said } from '../../testing/said.ts'

// Proves reference/acquirers#adyen.
const { twin, acquirer, booked, receiveNotices, noticesOf, reset } = await startAdyenTwin()
const CHALLENGED = card('Chan Tai Man', THREE_D_SECURE)
const AUTHORIZED = 'authorization 10.00 approved'
const CAPTURED = 'capture 10.00 approved'

beforeEach(reset)

async function challenge(kind: 'sale' | 'authorization' = 'sale', instrument = CHALLENGED) {
  const { request, committed, commitReference } = chargeCall({ instrument })
  const outcome = await (kind === 'sale' ? acquirer.sale(request) : acquirer.authorize(request))
  if (outcome.kind !== 'pending' || outcome.nextAction === undefined) throw new Error(said(outcome))
  expect(committed()).toMatch(instrument === CHALLENGED ? /^pending:[A-Z0-9]{16}$/ : /^pending:$/)
  const question = lookup(request.key, { kind, reference: committed(), commitReference })
  const committedNow = () => ({ ...question, reference: committed() })
  return { key: request.key, question, committedNow, url: outcome.nextAction.url }
}

test('a payer who confirms and comes back has paid, and money moves once', async () => {
  const { key, question, url } = await challenge()
  expect(said(await acquirer.inquire(question))).toBe('pending Pending')
  expect(await booked(key)).toEqual([])
  const returned = await decide(url, 'approve')
  expect(said(await acquirer.inquire(question))).toBe('pending Pending')
  expect(said(await acquirer.inquire({ ...question, returned }))).toBe('approved Authorised')
  expect(said(await acquirer.inquire({ ...question, returned }))).toBe('approved Authorised')
  expect(await booked(key)).toEqual([AUTHORIZED, CAPTURED])
})

test('an authorization that the payer confirms is not captured', async () => {
  const { key, question, url } = await challenge('authorization')
  const returned = await decide(url, 'approve')
  expect(said(await acquirer.inquire({ ...question, returned }))).toBe('approved Authorised')
  expect(await booked(key)).toEqual([AUTHORIZED])
})

test('a payer who declines is declined', async () => {
  const { key, question, url } = await challenge()
  const returned = await decide(url, 'decline')
  expect(said(await acquirer.inquire({ ...question, returned }))).toBe('declined 11')
  expect(await booked(key)).toEqual(['authorization 10.00 declined'])
})

describe('what the payer brings back is not believed', () => {
  test('an invented result leaves the payment pending, and the true one still counts', async () => {
    const { question, url } = await challenge()
    const invented = { redirectResult: 'invented' }
    expect(said(await acquirer.inquire({ ...question, returned: invented }))).toBe('pending Pending')
    const returned = await decide(url, 'approve')
    expect(said(await acquirer.inquire({ ...question, returned }))).toBe('approved Authorised')
  })

  test('the result of another payment does not pay this one', async () => {
    const mine = await challenge()
    const other = await challenge()
    const returned = await decide(other.url, 'approve')
    expect(said(await acquirer.inquire({ ...mine.question, returned }))).toBe('pending Pending')
    expect(await booked(mine.key)).toEqual([])
    expect(said(await acquirer.inquire({ ...other.question, returned }))).toBe('approved Authorised')
  })
})

describe('an answer lost after the payer’s return', () => {
  test('of the details is found out by asking again', async () => {
    const { key, question, url } = await challenge()
    const returned = await decide(url, 'approve')
    await twin.setFaults({ lose_answer: 1, match: 'details$' })
    expect(said(await acquirer.inquire({ ...question, returned }))).toBe('unknown')
    await twin.setFaults({})
    expect(said(await acquirer.inquire({ ...question, returned }))).toBe('approved Authorised')
    expect(await booked(key)).toEqual([AUTHORIZED, CAPTURED])
  })

  test('of the details is found out by the notice when the result is gone', async () => {
    await receiveNotices()
    const { key, question, url } = await challenge()
    const returned = await decide(url, 'approve')
    await twin.setFaults({ lose_answer: 1, match: 'details$' })
    await acquirer.inquire({ ...question, returned })
    await twin.setFaults({})
    await noticesOf(key, 'AUTHORISATION')
    expect(said(await acquirer.inquire(question))).toBe('approved Authorised')
    expect(await booked(key)).toEqual([AUTHORIZED, CAPTURED])
  })

  test('of the capture is found out without a notice, even when the key is closed', async () => {
    const { key, question, committedNow, url } = await challenge()
    const returned = await decide(url, 'approve')
    await twin.setFaults({ lose_answer: 1, match: 'captures$' })
    expect(said(await acquirer.inquire({ ...question, returned }))).toBe('unknown')
    await twin.setFaults({})
    expect(said(await acquirer.closeKey(committedNow()))).toBe('approved Authorised')
    expect(said(await acquirer.inquire(committedNow()))).toBe('approved Authorised')
    expect(await booked(key)).toEqual([AUTHORIZED, CAPTURED])
  })
})

describe('a redirect without pspReference', () => {
  const UNNAMED = card('REDIRECT WITHOUT REFERENCE', THREE_D_SECURE)

  test('waits for its payer and is paid once, by the reference that the details return', async () => {
    const { key, question, committedNow, url } = await challenge('sale', UNNAMED)
    expect(said(await acquirer.inquire(question))).toBe('pending Pending')
    const returned = await decide(url, 'approve')
    const paid = await acquirer.inquire({ ...question, returned })
    expect(paid).toMatchObject({ kind: 'approved', gatewayTransactionId: committedNow().reference })
    expect(said(await acquirer.inquire(committedNow()))).toBe('approved Authorised')
    expect(await booked(key)).toEqual([AUTHORIZED, CAPTURED])
  })

  test('is not captured when somebody else has taken over', async () => {
    const { key, question, url } = await challenge('sale', UNNAMED)
    const returned = await decide(url, 'approve')
    const isTaken = { ...question, returned, commitReference: async () => false }
    expect(said(await acquirer.inquire(isTaken))).toBe('unknown')
    expect(await booked(key)).toEqual([AUTHORIZED])
  })

  test('is not paid by what the payer of another one brings back', async () => {
    const mine = await challenge('sale', UNNAMED)
    const other = await challenge('sale', UNNAMED)
    const returned = await decide(other.url, 'approve')
    expect(said(await acquirer.inquire({ ...mine.question, returned }))).toBe('pending Pending')
    expect(await booked(mine.key)).toEqual([])
  })

  test('whose payer stays away cannot be paid once the key is closed', async () => {
    const { key, question, url } = await challenge('sale', UNNAMED)
    expect(said(await acquirer.closeKey(question))).toBe('absent forever')
    await decide(url, 'approve')
    expect(said(await acquirer.closeKey(question))).toBe('absent forever')
    expect((await booked(key)).filter((line) => line.endsWith('approved'))).toEqual([])
  })

  test('is found out by its notice when the details are lost', async () => {
    await receiveNotices()
    const { key, question, url } = await challenge('sale', UNNAMED)
    const returned = await decide(url, 'approve')
    await twin.setFaults({ lose_answer: 1, match: 'details$' })
    expect(said(await acquirer.inquire({ ...question, returned }))).toBe('unknown')
    await twin.setFaults({})
    await noticesOf(key, 'AUTHORISATION')
    expect(said(await acquirer.inquire(question))).toBe('approved Authorised')
    expect(await booked(key)).toEqual([AUTHORIZED, CAPTURED])
  })
})

describe('a payer who does not come back', () => {
  test('has not paid, and cannot pay once the key is closed', async () => {
    const { key, question, url } = await challenge()
    expect(said(await acquirer.closeKey(question))).toBe('absent forever')
    await decide(url, 'approve')
    expect(said(await acquirer.closeKey(question))).toBe('absent forever')
    expect((await booked(key)).filter((line) => line.endsWith('approved'))).toEqual([])
  })

  test('is not given up while Adyen does not confirm', async () => {
    const { question } = await challenge()
    await twin.setFaults({ fail_before: 1 })
    expect(said(await acquirer.closeKey(question))).toBe('unknown')
  })
})
