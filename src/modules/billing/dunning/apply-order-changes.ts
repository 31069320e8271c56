import { type Instant, laterOf, timeOfChange } from '#kernel/clock'
import { Money } from '#kernel/money'
import {
  declineCodeOf,
  isForgiven,
  isHardDecline,
  isUnresolved,
  type OrderChange,
  type Transaction,
} from '#modules/payments'
import { isChargeable, type PaymentToken } from '#modules/customers'
import type { Tx } from '#platform/postgres/database'
import {
  attemptDiscarded,
  attemptFailed,
  attemptLeftBalance,
  coveredBy,
  type CreditOfGiver,
  type CreditEntry,
  findCreditGivenBy,
  insertCredits,
  lockPlansOfOrders,
  orderCredited,
  orderPaid,
  orderReopened,
  orderVoided,
  type PlanAggregate,
  type SavedPlan,
  type PlanOrder,
  savePlans,
  settleGivenCredit,
  tokenReplaced,
  unblock,
} from '#modules/plans'
import { PaidFirstChanges } from '../paid-first/paid-first-changes.ts'
import type { BillingContext } from '../context.ts'
import { insertRefusedTokens, type RefusedToken } from '../storage/refused-token.repository.ts'

/**
 * Applies changed orders to their plans: the outcome of an attempt, a payment by link or by the merchant, a void. Runs in the
 * transaction of the change, with the orders locked. Every outcome is applied here, whether this job, the resolver or a
 * merchant learned it.
 */
export async function applyOrderChanges(
  ctx: BillingContext,
  tx: Tx,
  orderChanges: readonly OrderChange[],
): Promise<void> {
  const changes = orderChanges.filter(({ order, before }) => order.type === 'recurring' && before !== null)
  if (changes.length === 0) return
  const orderIds = changes.map(({ order }) => order.id)
  const given = await findCreditGivenBy(
    tx,
    changes.filter(isVoidedGiver).map(({ order }) => order.id),
  )
  const sources = given.map(({ orderId }) => orderId)
  const { planIdByOrder, plans } = await lockPlansOfOrders(tx, [...orderIds, ...sources])
  const tokens = await tokensOfPolicies(ctx, tx, [...plans.values()])
  const paidFirst = await PaidFirstChanges.read(ctx, tx, changes, plans)
  const changed = new Map<string, SavedPlan>()
  const credits: CreditEntry[] = []
  for (const change of changes) {
    const aggregate = plans.get(planIdByOrder.get(change.order.id) ?? '')
    if (aggregate === undefined) continue
    const { plan } = aggregate
    const earlier = changed.get(plan.id)
    const current = earlier?.after ?? aggregate
    const at = timeOfChange(plan, laterOf(change.at, earlier?.at ?? change.at))
    const collected = applyChange(current, { ...change, at }, tokens.get(plan.customerUuid))
    const applied = paidFirst.follow(collected, { ...change, at })
    const ofVoided = given.filter(({ givenBy }) => givenBy === change.order.id)
    const after = followPayments(applied, change, ofVoided, (orderId, amount) =>
      credits.push({
        planId: plan.id,
        orderId,
        givenBy: null,
        amount,
        note: change.order.referenceNumber,
        at,
      }),
    )
    if (after !== current) changed.set(plan.id, { before: aggregate, after, at })
  }
  await insertRefusedTokens(tx, changes.flatMap(hardDeclines))
  tx.defer(insertCredits(tx, credits))
  await paidFirst.save(tx)
  await savePlans(ctx, tx, [...changed.values()])
  await paidFirst.finish(tx)
}

function isVoidedGiver({ before, order, voidedBy }: OrderChange): boolean {
  if (order.state !== 'voided' || before?.state === 'voided' || isForgiven(voidedBy)) return false
  return order.lineItems?.some(({ billed }) => billed?.kind === 'to_credit') === true
}

/** Keeps the credit that was given for the order in step with its payments. What a voided order gave is taken back. */
function followPayments(
  aggregate: PlanAggregate,
  change: OrderChange,
  givenByVoided: readonly CreditOfGiver[],
  book: (orderId: string, amount: Money) => void,
): PlanAggregate {
  const { order } = change
  const wanted = [
    ...givenByVoided.map(({ orderId, amount }) => ({
      orderId,
      covered: (given: Money) => given.minus(Money.ofMinor(order.currency, amount)),
      mayComeAgain: false,
    })),
    { orderId: order.id, covered: () => coveredBy(change), mayComeAgain: true },
  ]
  let followed = aggregate
  for (const { orderId, covered, mayComeAgain } of wanted) {
    const planOrder = followed.orders.find((one) => one.orderId === orderId)
    if (planOrder === undefined || planOrder.givenCredit === null) continue
    const settled = settleGivenCredit(followed, planOrder, covered(planOrder.givenCredit.given), {
      mayComeAgain,
    })
    if (!settled.change.isZero()) book(orderId, settled.change)
    followed = settled.aggregate
  }
  return followed
}

/**
 * Reads the default tokens of plans with a policy. Another token may have become default while an attempt was under way, when
 * there was no next attempt to make due at once.
 */
async function tokensOfPolicies(
  ctx: BillingContext,
  tx: Tx,
  plans: readonly PlanAggregate[],
): Promise<ReadonlyMap<string, PaymentToken>> {
  const withPolicy = plans.filter(({ policy }) => policy !== null)
  if (withPolicy.length === 0) return new Map()
  return ctx.customers.defaultTokens(tx, [...new Set(withPolicy.map(({ plan }) => plan.customerUuid))])
}

function applyChange(
  aggregate: PlanAggregate,
  change: OrderChange,
  token: PaymentToken | undefined,
): PlanAggregate {
  const { order, at } = change
  const planOrder = aggregate.orders.find(({ orderId }) => orderId === order.id)
  if (planOrder === undefined) return aggregate
  if (order.state === 'completed' && planOrder.state === 'open') return orderPaid(aggregate, order.id, at)
  if (order.state === 'voided' && planOrder.state !== 'voided') {
    return isForgiven(change.voidedBy)
      ? orderCredited(aggregate, order.id, 'voided', at)
      : orderVoided(aggregate, order.id, at)
  }
  // While a void is under way, a reversed payment or a canceled attempt is not final.
  if (order.state !== 'open' || order.voiding !== null) return aggregate
  if (planOrder.state === 'paid') return orderReopened(aggregate, order.id)
  const after = applyAttemptOutcome(aggregate, planOrder, change, token)
  return endsBlock(change) ? unblock(after, order.id, at) : after
}

function applyAttemptOutcome(
  aggregate: PlanAggregate,
  { orderId, attemptTransaction }: PlanOrder,
  change: OrderChange,
  token: PaymentToken | undefined,
): PlanAggregate {
  const { at, allTransactions } = change
  const attempt = lastTry(allTransactions, attemptTransaction)
  if (attempt === undefined || isUnresolved(attempt.state)) return aggregate
  if (attempt.state !== 'failed') return attemptLeftBalance(aggregate, orderId)
  const isDiscarded = isCanceledByVoid(attempt, change) || isAbandoned(attempt, allTransactions)
  if (isDiscarded) return attemptDiscarded(aggregate, orderId, at)
  const { answer } = attempt
  const decline = { code: declineCodeOf(answer), isHard: isHardDecline(answer) }
  const failed = attemptFailed(aggregate, orderId, at, decline)
  const isReplaced = token !== undefined && token.token !== attempt.token && isChargeable(token, at)
  return isReplaced ? tokenReplaced(failed, orderId, at) : failed
}

/** The attempt's transaction, or its newest repetition at another account. */
function lastTry(transactions: readonly Transaction[], first: string | null): Transaction | undefined {
  const next = transactions.find(({ fallbackOf }) => fallbackOf !== null && fallbackOf === first)
  return next === undefined ? transactions.find(({ id }) => id === first) : lastTry(transactions, next.id)
}

/** More abandoned attempts of one order count as failed, because the attempt itself may crash our process. */
const MAX_ABANDONED = 5

/** Whether our process died before it learned the outcome, and the acquirer never received the attempt. */
function isAbandoned(attempt: Transaction, allTransactions: readonly Transaction[]): boolean {
  const abandoned = allTransactions.filter(({ answer }) => answer.failure === 'abandoned')
  return abandoned.includes(attempt) && abandoned.length <= MAX_ABANDONED
}

function isCanceledByVoid({ answer: { failure } }: Transaction, change: OrderChange): boolean {
  return isVoidAbandoned(change) && (failure === 'canceled' || failure === 'not_processed')
}

function isVoidAbandoned({ before, order }: OrderChange): boolean {
  return before !== null && before.voiding !== null && order.voiding === null
}

function endsBlock(change: OrderChange): boolean {
  const isResolved = change.transactions.some(
    ({ before, transaction }) =>
      !isUnresolved(transaction.state) && (before === null || isUnresolved(before.state)),
  )
  return isResolved || isVoidAbandoned(change) || releasesReservation(change)
}

function releasesReservation({ before, order }: OrderChange): boolean {
  return before !== null && order.reservedTotal.lessThan(before.reservedTotal)
}

function hardDeclines({ transactions, at }: OrderChange): (RefusedToken & { at: Instant })[] {
  return transactions.flatMap(({ transaction: { state, token, answer } }) =>
    state === 'failed' && isHardDecline(answer) && token !== null
      ? [{ token, responseCode: answer.responseCode, message: answer.responseMessage, at }]
      : [],
  )
}
