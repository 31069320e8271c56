import type { TimeZone } from '#kernel/time-zone'
import { isChargeable, requireCustomer } from '#modules/customers'
import type { AnswersTaxes } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import {
  type BillingConfigRecord,
  catalogueErrors as errors,
  type CycleItem,
  findOfferedItems,
  type PlanCoupon,
  policyOfPlan,
  decideOffered,
} from '#modules/catalogue'
import type { PlansContext } from '../context.ts'
import { couponsToAttach } from '../coupons/redeem-coupons.ts'
import { type PlanAggregate, withPlan } from '../model/plan.ts'
import { accepted, throwIfRefused } from '../errors.ts'
import type { NewCycle, NewPlan } from '../model/plan-requests.ts'
import { refuseMixedItems } from './decide-items.ts'
import { newCycle, newPlan } from './new-plan.ts'
import { readConfigs } from './read-configs.ts'
import { readInvoicing, taxGroundOf } from './read-invoicing.ts'

/** - `aggregate`: Without the requested coupons, on which `couponsOfDraft` decides. */
export interface PlanDraft {
  readonly aggregate: PlanAggregate
  readonly items: readonly (readonly CycleItem[])[]
  readonly newConfigs: ReadonlyMap<string, BillingConfigRecord>
}

type FindsCustomers = PlansContext['customers']['findCustomers']

/** @param customersIn `holdCustomers` for a plan that is made */
export async function draftPlan(
  ctx: PlansContext,
  tx: Tx,
  zone: TimeZone,
  request: NewPlan,
  answers: AnswersTaxes,
  customersIn: FindsCustomers = ctx.customers.findCustomers,
): Promise<PlanDraft> {
  const customer = requireCustomer(
    (await customersIn(tx, [request.customer_uuid])).get(request.customer_uuid),
    'plan.customer_uuid',
  )
  const items = await findRequestedItems(tx, request.recurring_cycles)
  throwIfRefused(refuseMixedItems(items))
  const currency = items.flat()[0]?.item.price.currency
  if (currency === undefined) throw new Error('the plan has no item')
  const configs = accepted(
    await readConfigs(
      tx,
      request.recurring_cycles.map(({ recurring_billing_config: text }, position) => ({
        text,
        param: `plan.recurring_cycles[${position}].recurring_billing_config`,
      })),
    ),
  )
  const policy = await policyOfPlan(tx, request.dunning_policy_id)
  if (request.callback_url !== undefined) checkCallback(ctx, request.callback_url)
  const invoicing = await readInvoicing(tx, request.invoicing)
  const plan = newPlan(request, { customer, invoicing, currency, zone, at: tx.now })
  const taxGround = await taxGroundOf(tx, invoicing, customer.uuid, answers)
  if (request.trial?.token_required === true) await requireToken(ctx, tx, customer.uuid)
  const cycles = request.recurring_cycles.map((cycle, position) => {
    const config = configs.records[position]
    if (config === undefined) throw new Error(`cycle ${position} has no config`)
    const isLast = position === request.recurring_cycles.length - 1
    return newCycle(cycle, { plan, position, isLast, items: items[position] ?? [], config })
  })
  const aggregate: PlanAggregate = {
    plan,
    policy,
    cycles,
    orders: [],
    coupons: [],
    taxGround,
    events: [],
  }
  const { coupons = [] } = request
  return {
    aggregate: withPlan(aggregate, { hasCoupons: coupons.length > 0 }),
    items,
    newConfigs: configs.newConfigs,
  }
}

/** Counts no redemption. */
export function couponsOfDraft(
  tx: Tx,
  { aggregate, items }: PlanDraft,
  { coupons = [] }: NewPlan,
): Promise<PlanCoupon[]> {
  const requested = coupons.map((text, index) => ({ text, param: `plan.coupons[${index}]` }))
  return couponsToAttach(tx, aggregate, items, tx.now, requested)
}

export function checkCallback(ctx: PlansContext, url: string): void {
  if (!ctx.mayReceiveWebhooks(url)) throw errors.callback_url_refused({ param: 'plan.callback_url' })
}

async function requireToken(ctx: PlansContext, tx: Tx, customerUuid: string): Promise<void> {
  const token = (await ctx.customers.defaultTokens(tx, [customerUuid])).get(customerUuid)
  if (token !== undefined && isChargeable(token, tx.now)) return
  throw errors.payment_token_missing({ param: 'plan.trial.token_required' })
}

async function findRequestedItems(tx: Tx, cycles: readonly NewCycle[]): Promise<CycleItem[][]> {
  const ids = cycles.flatMap((cycle) => cycle.recurring_items.map((item) => item.recurring_item_id))
  const itemsById = await findOfferedItems(tx, ids)
  return cycles.map((cycle, position) =>
    cycle.recurring_items.map(({ recurring_item_id: id, quantity }, index) => {
      const param = `plan.recurring_cycles[${position}].recurring_items[${index}].recurring_item_id`
      return { item: accepted(decideOffered(itemsById.get(id), param)), quantity }
    }),
  )
}
