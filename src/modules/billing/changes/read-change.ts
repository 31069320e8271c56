import type { Instant } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import type { ExactNumber } from '#kernel/json'
import { type Money, readMoney } from '#kernel/money'
import { parseInstant } from '#kernel/time-text'
import {
  checkSize,
  currentCycle,
  type Cycle,
  type PlanAggregate,
  type PlanItems,
  type ReadConfigs,
  type WantedChange,
} from '#modules/plans'
import {
  type BillingConfigRecord,
  catalogueErrors as errors,
  type CycleItem,
  type OfferedItem,
  requireOffered,
} from '#modules/catalogue'

/** The body of a change (reference/billing-changes#request). */
export interface PlanChangeRequest {
  readonly recurring_items?: readonly { readonly recurring_item_id: string; readonly quantity: number }[]
  readonly replace?: readonly { readonly from: string; readonly to: string }[]
  readonly recurring_billing_config?: string
  readonly billing_count?: number | null
  readonly at?: WantedChange['at']
  readonly proration?: WantedChange['proration']
  readonly proration_unit?: WantedChange['unit']
  readonly proration_date?: string
  readonly cycle_id?: string
  readonly expected_total?: number | ExactNumber
  readonly only_if_paid?: boolean
}

/** - `cyclePosition`: The position of the cycle to replace; null for a change of the current cycle. */
export interface ReadChange {
  readonly wanted: WantedChange
  readonly cyclePosition: number | null
  readonly newConfigs: ReadConfigs['newConfigs']
  readonly expectedTotal: Money | undefined
}

/** Refuses members that exclude each other, before anything is read. */
export function refuseInconsistent(request: PlanChangeRequest): void {
  const { recurring_items: items, replace, recurring_billing_config: config, billing_count: count } = request
  const { at, cycle_id, proration, proration_date, proration_unit } = request
  if (items !== undefined && replace !== undefined) throw excludes('replace', 'recurring_items')
  if (items === undefined && replace === undefined && config === undefined) {
    throw inconsistent('recurring_items', 'is needed, or replace or recurring_billing_config')
  }
  if (count !== undefined && config === undefined) {
    throw inconsistent('billing_count', 'needs recurring_billing_config')
  }
  if (cycle_id !== undefined) {
    if (at !== undefined) throw excludes('at', 'cycle_id')
    if (proration !== undefined) throw excludes('proration', 'cycle_id')
    if (proration_unit !== undefined) throw excludes('proration_unit', 'cycle_id')
    if (proration_date !== undefined) throw excludes('proration_date', 'cycle_id')
  }
  if (at === 'period_end') {
    if (proration !== undefined && proration !== 'none') throw excludes('proration', 'at: period_end')
    if (proration_date !== undefined) throw excludes('proration_date', 'at: period_end')
  }
  if (request.only_if_paid === true) {
    if (at === 'period_end') throw excludes('only_if_paid', 'at: period_end')
    if (proration === 'next_order' || proration === 'none')
      throw excludes('only_if_paid', `proration: ${proration}`)
    if (cycle_id !== undefined) throw excludes('only_if_paid', 'cycle_id')
  }
  if (config !== undefined && proration === 'next_order') {
    throw inconsistent('proration', 'must be now or none with recurring_billing_config')
  }
}

/**
 * The billing configs and prices that a request names, read once for all plans that it changes.
 * - `configs`: An error in the recurrence rule is thrown for a plan only after the errors of its cycle.
 */
export interface NamedByChange {
  readonly configs: ReadConfigs | RequestError
  readonly offered: ReadonlyMap<string, OfferedItem>
}

export function readChange(
  named: NamedByChange,
  request: PlanChangeRequest,
  aggregate: PlanAggregate,
  items: PlanItems,
): ReadChange {
  const cycle = cycleOf(request, aggregate)
  const before = items[cycle.position] ?? []
  if (named.configs instanceof RequestError) throw named.configs
  const { records, newConfigs } = named.configs
  const [config] = records
  const wantedItems = readItems(named, request, before)
  checkSize(wantedItems, aggregate.plan.credit.currency, 'change')
  return {
    wanted: {
      items: wantedItems,
      rhythm: config === undefined ? null : readRhythm(config, request, cycle),
      at: request.at ?? 'now',
      proration: request.proration ?? 'now',
      unit: request.proration_unit ?? 'day',
      pricedFrom: readProrationDate(request.proration_date),
    },
    cyclePosition: request.cycle_id === undefined ? null : cycle.position,
    newConfigs,
    expectedTotal:
      request.expected_total === undefined
        ? undefined
        : readMoney(
            aggregate.plan.credit.currency,
            request.expected_total,
            'change.expected_total',
            (_, rule) => inconsistent('expected_total', rule),
          ),
  }
}

function cycleOf({ cycle_id: id }: PlanChangeRequest, aggregate: PlanAggregate): Cycle {
  if (id === undefined) return currentCycle(aggregate)
  const cycle = aggregate.cycles.find((candidate) => candidate.id === id)
  if (cycle === undefined) throw inconsistent('cycle_id', 'must be the id of a cycle of the plan')
  if (cycle.start !== null || cycle.state !== 'upcoming') {
    throw errors.plan_not_changeable({
      param: 'change.cycle_id',
      message: `The cycle is ${cycle.state}. Only an upcoming cycle can be replaced.`,
    })
  }
  return cycle
}

function readRhythm(
  config: BillingConfigRecord,
  { billing_count: count = null }: PlanChangeRequest,
  cycle: Cycle,
): NonNullable<WantedChange['rhythm']> {
  if (cycle.billingCount !== null && count === null) {
    throw inconsistent('billing_count', 'is needed, because the cycle that it replaces has one')
  }
  if (cycle.billingCount === null && count !== null) {
    throw inconsistent('billing_count', 'must be null, because the cycle that it replaces runs without end')
  }
  return { config, billingCount: count }
}

function readProrationDate(text: string | undefined): Instant | null {
  if (text === undefined) return null
  const at = parseInstant(text)
  if (at === undefined) throw errors.proration_date_invalid({ param: 'change.proration_date' })
  return at
}

/** Prices that the plan has already may stay in any quantity, even if other plans can no longer use them. */
function readItems(
  { offered }: NamedByChange,
  request: PlanChangeRequest,
  before: readonly CycleItem[],
): readonly CycleItem[] {
  const wanted = namedItems(request, before)
  const own = new Map(before.map(({ item }) => [item.id, item]))
  const items = wanted.map(({ id, quantity, param }): CycleItem & { param: string } => {
    return { item: own.get(id) ?? requireOffered(offered.get(id), param), quantity, param }
  })
  const [first] = before
  for (const { item, param } of items) {
    if (item.price.currency !== first?.item.price.currency) throw errors.plan_currency_mixed({ param })
    if (item.taxBehavior !== first.item.taxBehavior) throw errors.tax_behavior_mixed({ param })
  }
  return items.map(({ item, quantity }) => ({ item, quantity }))
}

interface WantedItem {
  readonly id: string
  readonly quantity: number
  readonly param: string
}

function namedItems(request: PlanChangeRequest, before: readonly CycleItem[]): WantedItem[] {
  const { recurring_items: items, replace } = request
  if (items !== undefined) {
    return items.map(({ recurring_item_id: id, quantity }, index) => ({
      id,
      quantity,
      param: `change.recurring_items[${index}].recurring_item_id`,
    }))
  }
  const replaced = new Map((replace ?? []).map(({ from, to }, index) => [from, { to, index }]))
  for (const [from, { index }] of replaced) {
    if (!before.some(({ item }) => item.id === from)) {
      throw inconsistent(`replace[${index}].from`, 'must be a price that the plan has')
    }
  }
  return before.map(({ item, quantity }, position) => {
    const { to, index } = replaced.get(item.id) ?? {}
    if (to === undefined) return { id: item.id, quantity, param: `recurring_items[${position}]` }
    return { id: to, quantity, param: `change.replace[${index}].to` }
  })
}

function excludes(member: string, other: string): RequestError {
  return inconsistent(member, `cannot be sent with ${other}`)
}

function inconsistent(member: string, rule: string): RequestError {
  const param = `change.${member}`
  return errors.change_inconsistent({ param, message: `${param} ${rule}.` })
}
