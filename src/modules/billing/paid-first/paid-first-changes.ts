import type { RequestError } from '#kernel/errors'
import { Money } from '#kernel/money'
import { catalogueErrors as errors, type Line } from '#modules/catalogue'
import { declineCodeOf, isUnresolved, type Order, type OrderChange, paymentErrors } from '#modules/payments'
import {
  announcePaidFirst,
  applyPaidFirst,
  type AwaitedPayment,
  awaitedPayment,
  dropPaidFirst,
  findCycleItems,
  findScheduledChanges,
  orderToInvoice,
  type PaidChange,
  type PlanAggregate,
  type PlanItems,
  replaceCycles,
  requirePlan,
  type ScheduledChange,
  viewPlan,
  withVoidAt,
} from '#modules/plans'
import { errorEnvelope, successEnvelope } from '#platform/envelope'
import { storeLateReply } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { BillingContext } from '../context.ts'
import type { AppliedChange } from './applied-change.ts'

interface Waited {
  readonly change: OrderChange
  readonly payment: AwaitedPayment
}

/** - `aggregate`: The plan before the change. */
interface Applied extends Waited {
  readonly aggregate: PlanAggregate
  readonly changed: PaidChange
}

/**
 * Follows the payments that changes wait for, in the transaction that records them (reference/billing-changes#paid-first). A paid
 * order makes its change, and an order that is voided removes it. Without such a change it sends no statement.
 */
export class PaidFirstChanges {
  readonly #ctx: BillingContext
  readonly #items: ReadonlyMap<string, PlanItems>
  readonly #wanted: ReadonlyMap<string, ScheduledChange>
  readonly #applied: Applied[] = []
  readonly #dropped: Waited[] = []

  private constructor(
    ctx: BillingContext,
    items: ReadonlyMap<string, PlanItems>,
    wanted: ReadonlyMap<string, ScheduledChange>,
  ) {
    this.#ctx = ctx
    this.#items = items
    this.#wanted = wanted
  }

  static async read(
    ctx: BillingContext,
    tx: Tx,
    changes: readonly OrderChange[],
    plans: ReadonlyMap<string, PlanAggregate>,
  ): Promise<PaidFirstChanges> {
    const paid = new Set(
      changes.filter(({ order }) => order.state === 'completed').map(({ order }) => order.id),
    )
    const waiting = new Map(
      [...plans].filter(([, { plan }]) => paid.has(plan.pendingChange?.payment?.orderId ?? '')),
    )
    if (waiting.size === 0) return new PaidFirstChanges(ctx, new Map(), new Map())
    const [items, wanted] = await Promise.all([
      findCycleItems(tx, [...waiting.keys()]),
      findScheduledChanges(tx, waiting),
    ])
    return new PaidFirstChanges(ctx, items, wanted)
  }

  follow(aggregate: PlanAggregate, change: OrderChange): PlanAggregate {
    const { order, allTransactions, at } = change
    const payment = awaitedPayment(aggregate, order.id)
    if (payment === undefined) return aggregate
    if (order.state === 'completed' && order.voiding === null) return this.#apply(aggregate, change, payment)
    if (order.state !== 'open' || order.voiding !== null) {
      this.#dropped.push({ change, payment })
      return dropPaidFirst(aggregate, order.id)
    }
    const open = allTransactions.find(({ state }) => isUnresolved(state))
    if (open === undefined) return withVoidAt(aggregate, order.id, at)
    return open.state === 'initiated' ? aggregate : announcePaidFirst(aggregate, order.id)
  }

  /** Writes the cycles and items of the changes. Call it before the plans are saved, because an order may move to a new cycle. */
  async save(tx: Tx): Promise<void> {
    await replaceCycles(
      tx,
      this.#applied.map(({ changed }) => changed),
    )
  }

  /** Issues the invoices of paid orders and replies to waiting requests. Call it after the plans are saved. */
  async finish(tx: Tx): Promise<void> {
    if (this.#applied.length > 0) await this.#finishApplied(tx)
    for (const { change, payment } of this.#dropped) {
      if (payment.reply === null) continue
      const failure = this.#failureOf(change)
      const body = errorEnvelope(failure, payment.reply.requestId)
      await storeLateReply(tx, payment.reply.idempotencyId, { status: failure.status, body })
    }
  }

  async #finishApplied(tx: Tx): Promise<void> {
    const { invoices, payments, present } = this.#ctx
    const prepared = await invoices.prepare(
      tx,
      this.#applied.flatMap(({ aggregate: { plan }, change: { order, at } }) =>
        orderToInvoice(plan, { orderId: order.id, lines: linesOf(order) }, at).map((bill) => ({
          ...bill,
          isPaid: true,
        })),
      ),
    )
    const named = [...prepared].map(([orderId, { id, number }]) => ({ orderId, invoice: { id, number } }))
    await payments.assignInvoices(tx, named)
    await invoices.issue(tx, [...prepared.values()])
    for (const applied of this.#applied) {
      const { reply } = applied.payment
      if (reply === null) continue
      const body = successEnvelope(present.planChange(await this.#shown(tx, applied)))
      await storeLateReply(tx, reply.idempotencyId, { status: 200, body })
    }
  }

  async #shown(tx: Tx, { aggregate, change, payment }: Applied): Promise<AppliedChange> {
    const { order, allTransactions, at } = change
    const plan = await requirePlan(tx, aggregate.plan.id)
    return {
      view: await viewPlan(this.#ctx, tx, plan, at),
      change: {
        state: 'applied',
        effectiveAt: aggregate.plan.pendingChange?.at ?? at,
        proration: payment.proration,
        credits: [],
        ...linesOf(order),
        creditAdded: Money.zero(order.currency),
      },
      order: { order, transactions: allTransactions },
      at,
    }
  }

  #failureOf({ order, allTransactions, at }: OrderChange): RequestError {
    const transaction = allTransactions.findLast(({ state }) => state === 'failed')
    if (transaction === undefined) return changeWasRemoved()
    const declineCode = declineCodeOf(transaction.answer)
    return paymentErrors.payment_declined({
      ...(declineCode !== null && { declineCode }),
      data: this.#ctx.present.payment({ order, transactions: allTransactions, transaction, at }),
    })
  }

  #apply(aggregate: PlanAggregate, change: OrderChange, payment: AwaitedPayment): PlanAggregate {
    const { id } = aggregate.plan
    const wanted = this.#wanted.get(id)
    const items = this.#items.get(id)
    const changed = wanted && items && applyPaidFirst(aggregate, items, wanted, change.order.id)
    if (changed === undefined) throw new Error(`the change of plan ${id} was not read`)
    this.#applied.push({ aggregate, changed, change, payment })
    return changed.aggregate
  }
}

/** Whatever becomes of the payment, the change does not take place. */
export function changeWasRemoved(): RequestError {
  return errors.plan_not_changeable({
    param: 'change.only_if_paid',
    message:
      'The change was removed while its payment was under way, so it does not take place. Whatever is paid is voided.',
  })
}

function linesOf({ lineItems, initialTotal: total, tax }: Order) {
  const lines = (lineItems ?? []).map((line): Line => ({
    ...line,
    label: line.label ?? '',
    billed: line.billed ?? { kind: 'item' },
  }))
  return { lines, total, tax }
}
