import { setTimeout as sleep } from 'node:timers/promises'
import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import { type Accounts, readAccounts, readOrders } from './accounts.ts'
import type { ApiOrder } from '../../acquirers/api-order.ts'
import { checkBooks, checkEvents, checkResolved } from './check-accounts.ts'
import { checkDesk } from './check-desk.ts'
import { checkDocuments } from './check-documents.ts'
import { checkGivenBack } from './check-given-back.ts'
import { checkPlans } from './check-plans.ts'
import { type Business, EVENTS, WALLETS } from '../actors/business.ts'
import { CARDS, decimal } from '../actors/cards.ts'
import { BILLING } from '../actors/offers.ts'
import { couponsOf } from '../actors/plan-acts.ts'
import { COUPONS } from '../plan/draw-plans.ts'
import { expectedPlan } from '../model/plan-model.ts'
import type { Message } from '../world/receiver.ts'
import { checkDelivered, checkFollower } from './events.ts'

/** On the business clock. Within this time, the resolver must end every unknown outcome. */
const RESOLVED_WITHIN = { hours: 2 }
/** After failures the service does not call an acquirer for two seconds of the real clock. */
const ACQUIRER_PAUSE_MS = 2_500
/** Acquirers live on the real clock: if a capture is sent in the last moment of those hours, its notice comes later. */
const MAX_NOTICE_MS = 10_000
/** Orders of plans whose last attempt failed are attempted again each day. */
const DAYS_OF_RETRIES = 3
const POLL_MS = 250
const MAX_WAIT_MS = 150_000
/** When nothing arrives for this long, moving the clock by another day brings the next attempt of a delivery. */
const MS_PER_MOVED_DAY = 1_500
const WEI_DIGITS = 18

/** Call it after the faults. Waits until nothing is under way, and returns differences between the books and the model. */
export async function checkBusiness(business: Business): Promise<string[]> {
  const { merchant, acquirer, findings } = business
  await sleep(ACQUIRER_PAUSE_MS)
  await business.advanceBy(RESOLVED_WITHIN)
  findings.push(
    ...(await findingsAfter(MAX_NOTICE_MS, async () => checkResolved(await readOrders(merchant)))),
  )
  for (let day = 0; day < DAYS_OF_RETRIES; day++) await business.advanceBy({ hours: 24 })
  const { now, accounts, taken } = await readAtOneMoment(business)
  findings.push(
    ...checkResolved(accounts.orders),
    ...checkBooks(accounts),
    ...checkPlans(
      accounts,
      business.plans.map((plan) => expectedPlan(plan, now)),
      business.offers.couponIds,
    ),
    ...checkDocuments(accounts, business.plans, business.invoices),
    ...checkDesk(accounts, business.desk),
    ...checkGivenBack(accounts, business.plans),
    ...(await checkRedemptions(business)),
    ...checkEvents(accounts),
    ...checkOrderModels(business, accounts.orders, now),
    ...checkFollower(taken.values(), accounts.orders),
    ...checkDelivered(taken, accounts.events),
    ...(await checkEndpoints(business)),
    ...(await checkCards(business, now)),
    ...(await checkWallet(business)),
  )
  return findings.splice(0).map((finding) => `${acquirer.name}: ${finding}`)
}

/** Checks again and again until nothing is found, for at most `maxMs`. */
async function findingsAfter(maxMs: number, check: () => Promise<string[]>): Promise<string[]> {
  const startedAtMs = performance.now()
  for (;;) {
    const found = await check()
    if (found.length === 0 || performance.now() - startedAtMs > maxMs) return found
    await sleep(POLL_MS)
  }
}

interface Moment {
  readonly now: Temporal.Instant
  readonly accounts: Accounts
  readonly taken: ReadonlyMap<string, Message>
}

/** The business's clock goes on while everything is read. When a plan becomes due meanwhile, everything is read again. */
async function readAtOneMoment(business: Business): Promise<Moment> {
  const { merchant, acquirer, follower } = business
  for (;;) {
    await drainDeliveries(business)
    const newest = await newestEvent(business)
    const now = await merchant.now()
    const accounts = await readAccounts(merchant, acquirer)
    const taken = new Map(follower.receiver.taken)
    if ((await newestEvent(business)) === newest) return { now, accounts, taken }
  }
}

async function newestEvent({ merchant }: Business): Promise<string | undefined> {
  const { events } = await merchant.ok('GET', `${EVENTS}/events?limit=1`)
  return events[0]?.id as string | undefined
}

/** Every order must belong to an `OrderLife`, to an invoice or to a plan. */
function checkOrderModels(business: Business, orders: readonly ApiOrder[], now: Temporal.Instant): string[] {
  const byNumber = new Map(orders.map((order) => [order.number, order]))
  const findings: string[] = []
  for (const model of business.orders.values()) {
    const order = byNumber.get(model.number)
    byNumber.delete(model.number)
    if (order === undefined) findings.push(`${model.number} was created and is missing`)
    else findings.push(...model.reconcile(order, now))
  }
  for (const { orderNumber } of [...business.invoices, ...business.desk]) byNumber.delete(orderNumber)
  const plans = new Set(business.plans.map(({ life }) => life.name))
  for (const { number, reference_number: reference } of byNumber.values()) {
    if (!plans.has(reference.replace(/-\d+$/, ''))) findings.push(`${number} (${reference}) is nobody's`)
  }
  return findings
}

async function drainDeliveries(business: Business): Promise<void> {
  const path = `${EVENTS}/deliveries?state=pending&limit=1`
  const receivers = [business.follower.receiver, business.second.receiver]
  const countTaken = (): number => receivers.reduce((sum, { taken }) => sum + taken.size, 0)
  let taken = countTaken()
  let changedAtMs = performance.now()
  let movedDays = 0
  for (;;) {
    const { deliveries } = await business.merchant.ok('GET', path)
    if (deliveries.length === 0) return
    if (countTaken() !== taken) {
      taken = countTaken()
      changedAtMs = performance.now()
      movedDays = 0
    }
    const waitedMs = performance.now() - changedAtMs
    if (waitedMs > MAX_WAIT_MS) {
      business.findings.push(`a delivery is still pending: ${JSON.stringify(deliveries[0]).slice(0, 1_500)}`)
      return
    }
    if (waitedMs > (movedDays + 1) * MS_PER_MOVED_DAY) {
      await business.advanceBy({ hours: 25 })
      movedDays++
    }
    await sleep(POLL_MS)
  }
}

async function checkEndpoints({ merchant, follower, second }: Business): Promise<string[]> {
  const endpoints = (await merchant.all(`${EVENTS}/endpoints`, 'endpoints')) as {
    id: string
    state: string
  }[]
  const stateOf = (id: string): string | undefined => endpoints.find((one) => one.id === id)?.state
  const findings = [...follower.receiver.findings.splice(0), ...second.receiver.findings.splice(0)]
  const expected = second.receiver.hasGone ? 'disabled' : 'active'
  if (stateOf(follower.id) !== 'active') findings.push(`the endpoint is ${stateOf(follower.id)}`)
  if (stateOf(second.id) !== expected) {
    findings.push(`the second endpoint is ${stateOf(second.id)}, expected ${expected}`)
  }
  return findings
}

async function checkCards({ merchant, cards }: Business, now: Temporal.Instant): Promise<string[]> {
  const findings: string[] = []
  for (const model of cards) {
    const { card } = await merchant.ok('GET', `${CARDS}/${model.id}`)
    const limits = card.limits as { period: string; used_amount: string }[]
    const used = limits.find(({ period }) => period === 'Lifetime')?.used_amount
    const expected = decimal(model.usedMinor(now))
    if (used !== expected) findings.push(`card ${model.life.name} has used ${used}, expected ${expected}`)
    const listed = (await merchant.all(`${CARDS}/${model.id}/authorizations`, 'authorizations')) as {
      uuid: string
    }[]
    const ours = new Set(model.authorizations.map(({ uuid }) => uuid))
    const unknown = listed.filter(({ uuid }) => !ours.has(uuid))
    if (unknown.length > 0 || listed.length !== ours.size) {
      findings.push(`card ${model.life.name} has ${listed.length} authorizations, expected ${ours.size}`)
    }
  }
  return findings
}

/** The wallet holds exactly what the chain has at its address. */
async function checkWallet({ merchant, wallet }: Business): Promise<string[]> {
  if (wallet === undefined) return []
  const wei = await wallet.chain.weiOf(wallet.address)
  const expected = `${wei / 10n ** 18n}.${String(wei % 10n ** 18n).padStart(WEI_DIGITS, '0')}`
  return findingsAfter(MAX_WAIT_MS, async () => {
    const { digital_wallet: shown } = await merchant.ok('GET', `${WALLETS}/${wallet.id}`)
    const balances = shown.balances as { currency: string; amount: string }[]
    const amount = balances.find(({ currency }) => currency === 'ETH')?.amount ?? '0'
    if (amount === expected || (Number(amount) === 0 && wei === 0n)) return []
    return [`the wallet has ${amount} ETH, and the chain ${expected}`]
  })
}

/** Checks that no more plans redeemed the limited coupon than may, and no fewer if one was refused. */
async function checkRedemptions({ merchant, plans, offers }: Business): Promise<string[]> {
  const findings: string[] = []
  for (const [index, id] of offers.couponIds.entries()) {
    const { coupon } = await merchant.ok('GET', `${BILLING}/coupons/${id}`)
    const expected = plans.filter((plan) => couponsOf(plan).has(index)).length
    if (coupon.redemptions !== expected)
      findings.push(`coupon ${index} was redeemed ${coupon.redemptions} times, expected ${expected}`)
    const max = COUPONS[index]?.maxRedemptions
    if (max !== undefined && (expected > max || (offers.isExhausted && expected < max)))
      findings.push(`coupon ${index} was redeemed ${expected} times of ${max}`)
  }
  return findings
}

/** Starts refunds of many orders while faults go on. Returns the id of the bulk action. */
export async function refundInBulk(business: Business, round: number): Promise<string | undefined> {
  const prefix = `b${business.index}r${round}o`
  const models = [...business.orders.values()].filter(
    ({ life, isKnown, isRefundable }) =>
      life.name.startsWith(prefix) && life.isRefundedInBulk && isKnown && isRefundable,
  )
  if (models.length === 0) return undefined
  for (const model of models) model.bulkRefunds++
  const { bulk_action: action } = await business.merchant.ok(
    'POST',
    `${PAYMENTS}/bulk_actions`,
    { bulk_action: { action: 'refund', ids: models.map(({ number }) => number) } },
    { idempotencyKey: `${prefix}-bulk` },
  )
  return action.id as string
}

export async function bulkEnds(business: Business, id: string | undefined): Promise<void> {
  if (id === undefined) return
  const startedAtMs = performance.now()
  for (;;) {
    const { bulk_action: action } = await business.merchant.ok('GET', `${PAYMENTS}/bulk_actions/${id}`)
    if (action.state === 'completed') {
      if (action.succeeded + action.failed !== action.total) {
        business.findings.push(`the bulk action has lost objects: ${JSON.stringify(action)}`)
      }
      return
    }
    if (performance.now() - startedAtMs > 2 * MAX_WAIT_MS) {
      business.findings.push(`the bulk action did not end: ${JSON.stringify(action)}`)
      return
    }
    await business.advanceBy({ minutes: 10 })
    await sleep(POLL_MS)
  }
}
