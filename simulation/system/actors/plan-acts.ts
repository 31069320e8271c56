import { Money } from '#kernel/money'
import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import { expectedPlan, type PlanEntry, type PlanModel } from '../model/plan-model.ts'
import type { PlanAct } from '../plan/draw-plans.ts'
import { type Business, pricesOf } from './business.ts'
import { bindAndWait } from './payers.ts'
import { noteOfPlan, refundOfPlan, voidOfPlan } from './plan-money.ts'
import { transferToPlan, undoTransfer } from './transfers.ts'

const PLANS = `${PAYMENTS}/recurring_payments/plan`

/** Runs acts one after the other, because the order of two concurrent acts would not be known. */
export async function actOnPlan(business: Business, act: PlanAct, key: string): Promise<void> {
  const model = business.plans.find(({ life }) => life.name === act.plan)
  if (model === undefined) return
  const before = model.underWay
  const acting = async (): Promise<void> => {
    await before
    if (model.life.card === 'approves') await doAct(business, model, act, key)
    else await bindGoodCard(business, model)
  }
  model.underWay = acting()
  await model.underWay
}

async function doAct(business: Business, model: PlanModel, act: PlanAct, key: string): Promise<void> {
  switch (act.do) {
    case 'note':
      return noteOfPlan(business, model, act, key)
    case 'refund':
      return refundOfPlan(business, model, act.percent, key)
    case 'void':
      return voidOfPlan(business, model, key)
    case 'transfer':
      return transferToPlan(business, model, act, key)
    case 'undo':
      return undoTransfer(business, model, act, key)
    case 'change':
    case 'attach':
    case 'detach':
    case 'pause':
    case 'cancel':
    case 'reactivate':
      return request(business, model, act, key)
  }
}

async function bindGoodCard({ merchant, acquirer }: Business, model: PlanModel): Promise<void> {
  if (model.newCardBy !== undefined) return
  const { customerUuid } = model
  // The binding may become active, whatever happens to the request here.
  model.newCardBy = Temporal.Instant.from('9999-12-31T00:00:00Z')
  const card = { ...(await acquirer.newCard(customerUuid, 'approves')), default: true }
  const bound = await bindAndWait(merchant, customerUuid, card)
  if (bound.state === 'active') model.newCardBy = await merchant.now()
}

async function request(business: Business, model: PlanModel, act: PlanRequest, key: string): Promise<void> {
  const { merchant, offers } = business
  const asked = await requestOf(business, model, act)
  if (asked === undefined) return
  const timesBefore = await business.possibleTimes()
  const { method = 'POST', path, body } = asked
  const isCharged = act.do === 'change' && isPaidFirst(model, act)
  const ask = () =>
    merchant.call(method, `${PLANS}/${model.id}/${path}`, body, {
      idempotencyKey: key,
      takesInProgress: true,
      // All kills of a round may be aimed at it.
      isLong: isCharged,
    })
  const reply = await (isCharged ? business.during('paid_first', ask) : ask())
  if (reply.status === 200) {
    const entry = entryOf(act, asked, reply.data)
    if (entry !== undefined) model.entries.push(entry)
    return
  }
  const reason = String(reply.data?.error?.reason)
  if (reason === 'coupon_exhausted') offers.isExhausted = true
  if (act.do === 'detach' && reason === 'coupon_not_found') {
    // DELETE has no idempotency key, so a try whose response was lost may have detached it.
    const entry = entryOf(act, asked, { plan: await merchant.getPlan(model.id) })
    if (entry !== undefined) model.entries.push(entry)
  }
  const times = [...timesBefore, ...(await business.possibleTimes())]
  const states = times.map((now) => stateAt(model, now))
  const isDropped = isCharged && NOT_PAID.has(reason)
  const isExpected =
    isDropped || MAY_BE_REFUSED[act.do].has(reason) || states.some((state) => !WORKS_IN[act.do].has(state))
  if (!isExpected)
    business.findings.push(
      `${key}, ${act.do} of ${states.join(' or ')} plan ${act.plan}, was refused: ${reply.status} ${JSON.stringify(reply.data)}`,
    )
}

function stateAt(model: PlanModel, now: Temporal.Instant): string {
  return expectedPlan(model, now).states.join()
}

const GOES_ON: ReadonlySet<string> = new Set(['upcoming', 'active'])
const IS_THERE: ReadonlySet<string> = new Set(['upcoming', 'active', 'paused'])

type PlanRequest = Exclude<PlanAct, { do: 'note' | 'refund' | 'void' | 'transfer' | 'undo' }>

/** A refusal in any other state is expected. */
const WORKS_IN: Readonly<Record<PlanRequest['do'], ReadonlySet<string>>> = {
  change: GOES_ON,
  attach: IS_THERE,
  detach: IS_THERE,
  pause: GOES_ON,
  cancel: IS_THERE,
  reactivate: new Set(['canceled']),
}

/** The reasons for which these states may refuse the request. */
const MAY_BE_REFUSED: Readonly<Record<PlanRequest['do'], ReadonlySet<string>>> = {
  // The plan ends with the period, another change waits, a payment is under way, or the last change has not taken effect.
  change: new Set(['plan_not_changeable', 'change_pending', 'payment_in_progress', 'nothing_changes']),
  attach: new Set(['coupon_exhausted']),
  // The coupon was used up.
  detach: new Set(['coupon_not_found']),
  // The clock was moved past the end of the pause.
  pause: new Set(['until_invalid']),
  // What a transfer paid is returned by hand.
  cancel: new Set(['payment_in_progress', 'refund_by_hand']),
  // All its orders were made, or too many were missed.
  reactivate: new Set(['plan_not_reactivatable', 'too_many_missed_periods']),
}

/** Of changes that are charged first. The charge may never have reached the acquirer, or not have been sent at all. */
const NOT_PAID: ReadonlySet<string> = new Set([
  'acquirer_refused',
  'payment_declined',
  'payment_action_required',
  'not_processed',
])

/** The orders of plans whose invoices are sent are paid by transfer. */
function isPaidFirst({ life }: PlanModel, act: PlanAct & { do: 'change' }): boolean {
  const isProrated = act.at === 'now' && act.proration === 'now'
  return act.isPaidFirst && isProrated && life.invoicing?.isSent !== true
}

interface Asked {
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly priceIndex?: number
  readonly until?: Temporal.Instant
}

/** Plans that begin with the lowest price keep it: orders of changes would be below what acquirers accept. */
const LOWEST_PRICE = 1

/**
 * Undefined if the act makes no sense: there is no such price, or the plan has or had the coupon, or is too cheap
 * for one.
 */
async function requestOf(business: Business, model: PlanModel, act: PlanRequest): Promise<Asked | undefined> {
  const { merchant, offers } = business
  const priceIndex = lastPrice(model)
  switch (act.do) {
    case 'change': {
      const nextIndex = act.to === 'dearer' ? priceIndex + 1 : priceIndex - 1
      const item = pricesOf(business, model.life)[nextIndex]
      if (item === undefined || nextIndex < LOWEST_PRICE) return undefined
      const change = {
        recurring_items: [{ recurring_item_id: item, quantity: 1 }],
        at: act.at,
        ...(act.at === 'now' && { proration: act.proration }),
        ...(isPaidFirst(model, act) && { only_if_paid: true }),
      }
      return { path: 'change', body: { change }, priceIndex: nextIndex }
    }
    case 'attach':
      if (priceIndex === 0 || couponsOf(model).has(act.coupon)) return undefined
      return { path: 'coupons', body: { coupon: offers.couponIds[act.coupon] } }
    case 'detach':
      if (!couponsOf(model).has(act.coupon)) return undefined
      return { method: 'DELETE', path: `coupons/${offers.couponIds[act.coupon]}` }
    case 'pause': {
      const until = (await merchant.now()).round('second').add({ minutes: act.minutes })
      return { path: 'pause', body: { until: until.toString() }, until }
    }
    case 'cancel':
      return { path: 'cancel', body: { unused: act.unused } }
    case 'reactivate':
      return { path: 'reactivate', body: { from: act.from } }
  }
}

function lastPrice({ life, entries }: PlanModel): number {
  const prices = entries.flatMap((entry) => (entry.do === 'change' ? [entry.priceIndex] : []))
  return prices.at(-1) ?? life.priceIndex
}

/** Includes the coupons that the plan had. */
export function couponsOf({ coupons, entries }: PlanModel): Set<number> {
  return new Set([...coupons, ...entries.flatMap((entry) => (entry.do === 'attach' ? [entry.coupon] : []))])
}

interface AnswerData {
  readonly plan: {
    readonly state: string
    readonly updated_at: string
    readonly recurring_cycles: readonly { readonly billing_count_created: number }[]
  }
  readonly change?: {
    readonly state: string
    readonly effective_at: string
    readonly credited: readonly { readonly amount: number }[]
  }
  readonly order?: { readonly number: string }
}

/** Undefined if nothing was done: a plan that has ended cannot be canceled. */
function entryOf(
  act: PlanRequest,
  { priceIndex = 0, until }: Asked,
  { plan, change, order }: AnswerData,
): PlanEntry | undefined {
  const at = Temporal.Instant.from(plan.updated_at)
  const made = plan.recurring_cycles.reduce((sum, cycle) => sum + cycle.billing_count_created, 0)
  switch (act.do) {
    case 'change': {
      const credited = (change?.credited ?? []).map(
        ({ amount }) => Money.ofDecimal('HKD', String(amount)).minor,
      )
      return {
        do: 'change',
        // A change whose payment took long began with its request.
        at: change?.state === 'applied' ? Temporal.Instant.from(change.effective_at) : at,
        made,
        priceIndex,
        isScheduled: change?.state === 'scheduled',
        isProrated: act.proration === 'now',
        creditedMinor: credited.reduce((sum, minor) => sum + minor, 0n),
        ...(order !== undefined && { order: order.number }),
      }
    }
    case 'attach':
    case 'detach':
      return { do: act.do, at, made, coupon: act.coupon }
    case 'pause':
      return { do: 'pause', at, made, until: until ?? at }
    case 'cancel':
      return plan.state === 'canceled' ? { do: 'cancel', at, made, unused: act.unused } : undefined
    case 'reactivate':
      return { do: 'reactivate', at, made, from: act.from }
  }
}
