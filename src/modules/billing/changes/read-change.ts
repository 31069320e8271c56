import type { Instant } from '#kernel/clock'
import { Money, parseMoney } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import { parseInstant } from '#kernel/time-text'
import {
  type ConfigRefusal,
  currentCycle,
  type Cycle,
  type PlanAggregate,
  type PlanItems,
  type ReadConfigs,
  refuseTooLarge,
  type WantedChange,
} from '#modules/plans'
import {
  type BillingConfigRecord,
  type CycleItem,
  decideOffered,
  type OfferedItem,
  type OfferRefusal,
} from '#modules/catalogue'
import type { PlanChangeRequest } from './change-request.ts'

/** - `cyclePosition`: The position of the cycle to replace; null for a change of the current cycle. */
export interface ReadChange {
  readonly wanted: WantedChange
  readonly cyclePosition: number | null
  readonly newConfigs: ReadConfigs['newConfigs']
  readonly expectedTotal: Money | undefined
}

type Inconsistent = Refused<'change_inconsistent'>
export type ChangeRequestRefusal =
  | Inconsistent
  | ConfigRefusal
  | OfferRefusal
  | Refused<
      | 'billing_amount_too_large'
      | 'plan_currency_mixed'
      | 'plan_not_changeable'
      | 'proration_date_invalid'
      | 'recurring_cycle_not_found'
      | 'tax_behavior_mixed'
    >

/** Refuses a request without a change, and members that exclude each other, before anything is read. */
export function refuseInconsistent(
  request: PlanChangeRequest,
): Inconsistent | Refused<'missing_member'> | null {
  const { recurring_items: items, replace, recurring_billing_config: config, billing_count: count } = request
  const { at, cycle_id, proration, proration_date, proration_unit } = request
  if (items !== undefined && replace !== undefined) return excludes('replace', 'recurring_items')
  if (items === undefined && replace === undefined && config === undefined) {
    const message = 'Send recurring_items, replace or recurring_billing_config.'
    return { refused: 'missing_member', param: 'change.recurring_items', message }
  }
  if (count !== undefined && config === undefined) {
    return inconsistent('billing_count', 'needs recurring_billing_config')
  }
  if (cycle_id !== undefined) {
    if (at !== undefined) return excludes('at', 'cycle_id')
    if (proration !== undefined) return excludes('proration', 'cycle_id')
    if (proration_unit !== undefined) return excludes('proration_unit', 'cycle_id')
    if (proration_date !== undefined) return excludes('proration_date', 'cycle_id')
  }
  if (at === 'period_end') {
    if (proration !== undefined && proration !== 'none') return excludes('proration', 'at: period_end')
    if (proration_date !== undefined) return excludes('proration_date', 'at: period_end')
  }
  if (request.only_if_paid === true) {
    if (at === 'period_end') return excludes('only_if_paid', 'at: period_end')
    if (proration === 'next_order' || proration === 'none')
      return excludes('only_if_paid', `proration: ${proration}`)
    if (cycle_id !== undefined) return excludes('only_if_paid', 'cycle_id')
  }
  if (config !== undefined && proration === 'next_order') {
    return inconsistent('proration', 'must be now or none with recurring_billing_config')
  }
  return null
}

/**
 * The billing configs and prices that a request names, read once for all plans that it changes.
 * - `configs`: An error in the recurrence rule refuses a plan only after the errors of its cycle.
 */
export interface NamedByChange {
  readonly configs: ReadConfigs | ConfigRefusal
  readonly offered: ReadonlyMap<string, OfferedItem>
}

export function readChange(
  named: NamedByChange,
  request: PlanChangeRequest,
  aggregate: PlanAggregate,
  items: PlanItems,
): ReadChange | ChangeRequestRefusal {
  const { currency } = aggregate.plan.credit
  const cycle = cycleOf(request, aggregate)
  if ('refused' in cycle) return cycle
  if ('refused' in named.configs) return named.configs
  const { records, newConfigs } = named.configs
  const wantedItems = readItems(named, request, items[cycle.position] ?? [])
  if ('refused' in wantedItems) return wantedItems
  const tooLarge = refuseTooLarge(wantedItems, currency, 'change')
  if (tooLarge !== null) return tooLarge
  const [config] = records
  const rhythm = config === undefined ? null : readRhythm(config, request, cycle)
  if (rhythm !== null && 'refused' in rhythm) return rhythm
  const pricedFrom = readProrationDate(request.proration_date)
  if (pricedFrom !== null && 'refused' in pricedFrom) return pricedFrom
  const expectedTotal = readExpectedTotal(currency, request.expected_total)
  if (expectedTotal !== undefined && 'refused' in expectedTotal) return expectedTotal
  return {
    wanted: {
      items: wantedItems,
      rhythm,
      at: request.at ?? 'now',
      proration: request.proration ?? 'now',
      unit: request.proration_unit ?? 'day',
      pricedFrom,
    },
    cyclePosition: request.cycle_id === undefined ? null : cycle.position,
    newConfigs,
    expectedTotal,
  }
}

function cycleOf(
  { cycle_id: id }: PlanChangeRequest,
  aggregate: PlanAggregate,
): Cycle | Refused<'recurring_cycle_not_found' | 'plan_not_changeable'> {
  if (id === undefined) return currentCycle(aggregate)
  const cycle = aggregate.cycles.find((candidate) => candidate.id === id)
  if (cycle === undefined) return { refused: 'recurring_cycle_not_found', param: 'change.cycle_id' }
  if (cycle.start === null && cycle.state === 'upcoming') return cycle
  const message = `The cycle is ${cycle.state}. Only an upcoming cycle can be replaced.`
  return { refused: 'plan_not_changeable', param: 'change.cycle_id', message }
}

function readRhythm(
  config: BillingConfigRecord,
  { billing_count: count = null }: PlanChangeRequest,
  cycle: Cycle,
): NonNullable<WantedChange['rhythm']> | Inconsistent {
  if (cycle.billingCount !== null && count === null) {
    return inconsistent('billing_count', 'is needed, because the cycle that it replaces has one')
  }
  if (cycle.billingCount === null && count !== null) {
    return inconsistent('billing_count', 'must be null, because the cycle that it replaces runs without end')
  }
  return { config, billingCount: count }
}

function readProrationDate(text: string | undefined): Instant | null | Refused<'proration_date_invalid'> {
  if (text === undefined) return null
  return parseInstant(text) ?? { refused: 'proration_date_invalid', param: 'change.proration_date' }
}

function readExpectedTotal(
  currency: string,
  total: PlanChangeRequest['expected_total'],
): Money | undefined | Inconsistent {
  if (total === undefined) return undefined
  const amount = parseMoney(currency, total)
  return amount instanceof Money ? amount : inconsistent('expected_total', amount.message)
}

/** Prices that the plan has already may stay in any quantity, even if other plans can no longer use them. */
function readItems(
  { offered }: NamedByChange,
  request: PlanChangeRequest,
  before: readonly CycleItem[],
):
  | readonly CycleItem[]
  | Inconsistent
  | OfferRefusal
  | Refused<'plan_currency_mixed' | 'tax_behavior_mixed'> {
  const wanted = namedItems(request, before)
  if ('refused' in wanted) return wanted
  const own = new Map(before.map(({ item }) => [item.id, item]))
  const items: CycleItem[] = []
  for (const { id, quantity, param } of wanted) {
    const item = own.get(id) ?? decideOffered(offered.get(id), param)
    if ('refused' in item) return item
    items.push({ item, quantity })
  }
  const [first] = before
  for (const [index, { item }] of items.entries()) {
    const param = wanted[index]?.param ?? ''
    if (item.price.currency !== first?.item.price.currency) return { refused: 'plan_currency_mixed', param }
    if (item.taxBehavior !== first.item.taxBehavior) return { refused: 'tax_behavior_mixed', param }
  }
  return items
}

interface WantedItem {
  readonly id: string
  readonly quantity: number
  readonly param: string
}

function namedItems(
  request: PlanChangeRequest,
  before: readonly CycleItem[],
): readonly WantedItem[] | Inconsistent {
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
      return inconsistent(`replace[${index}].from`, 'must be a price that the plan has')
    }
  }
  return before.map(({ item, quantity }, position) => {
    const { to, index } = replaced.get(item.id) ?? {}
    if (to === undefined) return { id: item.id, quantity, param: `recurring_items[${position}]` }
    return { id: to, quantity, param: `change.replace[${index}].to` }
  })
}

function excludes(member: string, other: string): Inconsistent {
  return inconsistent(member, `cannot be sent with ${other}`)
}

function inconsistent(member: string, rule: string): Inconsistent {
  const param = `change.${member}`
  return { refused: 'change_inconsistent', param, message: `${param} ${rule}.` }
}
