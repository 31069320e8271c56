import sql from 'sql-template-tag'
import { instantOf, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import { readTaxedAs, storedTaxedAs, type StoredTaxedAs } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import type { PlanItems, ReplacedCycles, ScheduledChange } from '../model/plan-items.ts'
import { type CycleItem, findConfigs, findOfferedItems, type Line } from '#modules/catalogue'
import type { AwaitedPayment, ChangedPeriod, PendingChange } from '../model/plan-change.ts'
import type { Plan, PlanAggregate } from '../model/plan.ts'
import { insertCycleItems, insertCycles } from './plan.repository.ts'

/** Amounts are texts in minor units, so that no JSON reader rounds them. */
interface StoredLine extends Omit<Line, 'price' | 'billed'> {
  readonly price_minor: string
  readonly billed: Omit<Line['billed'], 'taxedAs' | 'net' | 'tax'>
  readonly taxed_as?: StoredTaxedAs
}

interface StoredPeriod {
  readonly start: string
  readonly priced_from: string
  readonly parts: readonly ({
    net_minor: string
    from: string
    order_id: string | null
    line?: number
    taxed_as?: StoredTaxedAs
  } | null)[]
  readonly orders?: readonly string[]
}

interface StoredChange {
  readonly at: string
  readonly items: PendingChange['items']
  readonly rhythm: PendingChange['rhythm']
  readonly payment?: StoredPayment
}

interface StoredPayment {
  readonly order_id: string
  readonly until: string
  readonly announced: boolean
  readonly reply: AwaitedPayment['reply']
  readonly proration: { readonly from: string; readonly remaining: number; readonly whole: number } | null
  readonly period: StoredPeriod | null
  readonly lowering: readonly string[]
}

const changedPlans = rowsAs<Plan>('c', {
  id: ['text', (p) => p.id],
  pending_change: ['json', ({ pendingChange: change }) => (change === null ? null : storedChange(change))],
  pending_lines: ['json', ({ pendingLines: lines }) => (lines.length === 0 ? null : storedLines(lines))],
  changed_period: [
    'json',
    ({ changedPeriod: period }) => (period === null ? null : JSON.stringify(storedPeriod(period))),
  ],
})

/** A plan without a change has none of these and costs no statement. */
export async function updatePlanChanges(tx: Tx, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return
  await tx.execute(sql`
    update recurring_plans p
       set pending_change = c.pending_change, pending_lines = c.pending_lines, changed_period = c.changed_period
      from ${changedPlans(plans)}
     where p.business_id = ${tx.businessId} and p.id = c.id`)
}

export function isChangeDifferent(a: Plan, b: Plan): boolean {
  return (
    a.pendingChange !== b.pendingChange ||
    a.pendingLines !== b.pendingLines ||
    a.changedPeriod !== b.changedPeriod
  )
}

export interface ReplacedPlan {
  readonly aggregate: PlanAggregate
  readonly items: PlanItems
  readonly replaced: ReplacedCycles
}

const replacedFrom = rowsAs<ReplacedPlan>('r', {
  plan_id: ['text', (r) => r.aggregate.plan.id],
  position: ['integer', (r) => r.replaced.from],
  is_rhythm: ['boolean', (r) => r.replaced.isRhythm],
})

/** Writes new items of cycles, and new cycles with those that move behind them. None of these cycles has started. */
export async function replaceCycles(tx: Tx, plans: readonly ReplacedPlan[]): Promise<void> {
  if (plans.length === 0) return
  await tx.execute(sql`
    delete from recurring_cycle_items i using ${replacedFrom(plans)}
     where i.business_id = ${tx.businessId} and i.plan_id = r.plan_id
       and (i.cycle_position = r.position or r.is_rhythm and i.cycle_position > r.position)`)
  const rhythms = plans.filter(({ replaced }) => replaced.isRhythm)
  if (rhythms.length > 0) {
    await tx.execute(sql`
      delete from recurring_cycles y using ${replacedFrom(rhythms)}
       where y.business_id = ${tx.businessId} and y.plan_id = r.plan_id and y.position >= r.position`)
  }
  await insertCycles(
    tx,
    rhythms.flatMap(({ aggregate, replaced }) => aggregate.cycles.slice(replaced.from)),
  )
  await insertCycleItems(
    tx,
    plans.flatMap(({ aggregate, items, replaced: { from, isRhythm } }) => {
      const cycles = isRhythm ? aggregate.cycles.slice(from) : aggregate.cycles.slice(from, from + 1)
      return cycles.map((cycle) => ({ cycle, items: items[cycle.position] ?? [] }))
    }),
  )
}

/** Reads what the pending changes of plans refer to. Without one it asks nothing. */
export async function findScheduledChanges(
  tx: Tx,
  plans: ReadonlyMap<string, PlanAggregate>,
): Promise<Map<string, ScheduledChange>> {
  const pending = [...plans.values()].flatMap(({ plan: { id, pendingChange } }) =>
    pendingChange === null ? [] : [{ id, ...pendingChange }],
  )
  if (pending.length === 0) return new Map()
  const [items, configs] = await Promise.all([
    findOfferedItems(
      tx,
      pending.flatMap((change) => change.items.map(({ itemId }) => itemId)),
    ),
    findConfigs(
      tx,
      pending.flatMap(({ rhythm }) => rhythm?.configId ?? []),
    ),
  ])
  return new Map(
    pending.map(({ id, items: wanted, rhythm }) => [
      id,
      {
        items: wanted.flatMap(({ itemId, quantity }): CycleItem[] => {
          const found = items.get(itemId)
          return found === undefined ? [] : [{ item: found.item, quantity }]
        }),
        config: configs.get(rhythm?.configId ?? '') ?? null,
      },
    ]),
  )
}

function storedChange({ at, items, rhythm, payment }: PendingChange): string {
  return JSON.stringify({
    at: toRfc3339(at),
    items,
    rhythm,
    ...(payment !== null && { payment: storedPayment(payment) }),
  } satisfies StoredChange)
}

function storedPayment(payment: AwaitedPayment): StoredPayment {
  return {
    order_id: payment.orderId,
    until: toRfc3339(payment.until),
    announced: payment.isAnnounced,
    reply: payment.reply,
    proration: payment.proration && { ...payment.proration, from: toRfc3339(payment.proration.from) },
    period: payment.period && storedPeriod(payment.period),
    lowering: payment.lowering,
  }
}

export function readPendingChange(text: string | null, currency: string): PendingChange | null {
  if (text === null) return null
  const { at, items, rhythm, payment } = JSON.parse(text) as StoredChange
  return {
    at: instantOf(at),
    items,
    rhythm,
    payment: payment === undefined ? null : readPayment(payment, currency),
  }
}

function readPayment(payment: StoredPayment, currency: string): AwaitedPayment {
  return {
    orderId: payment.order_id,
    until: instantOf(payment.until),
    isAnnounced: payment.announced,
    reply: payment.reply,
    proration: payment.proration && { ...payment.proration, from: instantOf(payment.proration.from) },
    period: payment.period && toChangedPeriod(payment.period, currency),
    lowering: payment.lowering,
  }
}

const NO_LINES: readonly Line[] = []

function storedLines(lines: readonly Line[]): string {
  return JSON.stringify(
    lines.map(
      ({
        price,
        billed: { kind, period, recurringItemId, units, taxedAs, creditedOrderId },
        ...line
      }): StoredLine => ({
        ...line,
        price_minor: price.minor.toString(),
        billed: { kind, period, recurringItemId, units, creditedOrderId },
        ...(taxedAs !== undefined && { taxed_as: storedTaxedAs(taxedAs) }),
      }),
    ),
  )
}

export function readPendingLines(text: string | null, currency: string): readonly Line[] {
  if (text === null) return NO_LINES
  return (JSON.parse(text) as StoredLine[]).map(({ price_minor, billed, taxed_as, ...line }) => ({
    ...line,
    price: Money.ofMinor(currency, BigInt(price_minor)),
    billed: { ...billed, ...(taxed_as !== undefined && { taxedAs: readTaxedAs(taxed_as) }) },
  }))
}

function storedPeriod({ start, pricedFrom, parts, orders }: ChangedPeriod): StoredPeriod {
  return {
    start: toRfc3339(start),
    priced_from: toRfc3339(pricedFrom),
    orders,
    parts: parts.map(
      (part) =>
        part && {
          net_minor: part.net.minor.toString(),
          from: toRfc3339(part.from),
          order_id: part.orderId,
          ...(part.line !== undefined && { line: part.line }),
          ...(part.taxedAs !== undefined && { taxed_as: storedTaxedAs(part.taxedAs) }),
        },
    ),
  }
}

export function readChangedPeriod(text: string | null, currency: string): ChangedPeriod | null {
  return text === null ? null : toChangedPeriod(JSON.parse(text) as StoredPeriod, currency)
}

function toChangedPeriod(
  { start, priced_from, parts, orders }: StoredPeriod,
  currency: string,
): ChangedPeriod {
  return {
    start: instantOf(start),
    pricedFrom: instantOf(priced_from),
    orders: orders ?? [...new Set(parts.flatMap((part) => part?.order_id ?? []))],
    parts: parts.map(
      (part) =>
        part && {
          net: Money.ofMinor(currency, BigInt(part.net_minor)),
          from: instantOf(part.from),
          orderId: part.order_id,
          ...(part.line !== undefined && { line: part.line }),
          ...(part.taxed_as !== undefined && { taxedAs: readTaxedAs(part.taxed_as) }),
        },
    ),
  }
}
