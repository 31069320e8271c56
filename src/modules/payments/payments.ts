import type { Outcome } from '#modules/acquirers'
import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/database'
import type { BegunCharge, Charge, ChargeOutcome, FailedCharge, NewCharge, RecordedCharge } from './charge.ts'
import type { PaymentsNeeds } from './needs.ts'
import type { NewOrder, Order } from './order.ts'
import type { Reaction } from './order-change.ts'
import type { Transaction } from './transaction.ts'

/** Signatures first: recurring is written against them at the same time. */
export class Payments {
  readonly needs: PaymentsNeeds

  constructor(needs: PaymentsNeeds) {
    this.needs = needs
  }

  /** Registers what another module does when orders change; see `Reaction`. */
  react(_reaction: Reaction): void {
    throw new Error('not written yet')
  }

  /** Writes orders with their `order.created` (total 0: completed, `order.paid`). Undefined where the reference is taken. */
  async createOrders(_tx: Tx, _orders: readonly NewOrder[]): Promise<(Order | undefined)[]> {
    throw new Error('not written yet')
  }

  /** Locks the orders in id order, reserves the amounts and writes `initiated` transactions. Results in the order given. */
  async beginCharges(_tx: Tx, _charges: readonly NewCharge[]): Promise<BegunCharge[]> {
    throw new Error('not written yet')
  }

  /** The acquirer call, outside any transaction. Never throws for what the acquirer does. */
  async performCharge(_charge: Charge): Promise<Outcome> {
    throw new Error('not written yet')
  }

  /** Records outcomes: transactions, orders, events, reactions, kept answers. Harmless when the resolver was faster. */
  async recordOutcomes(_tx: Tx, _outcomes: readonly ChargeOutcome[]): Promise<RecordedCharge[]> {
    throw new Error('not written yet')
  }

  /** Writes failed transactions of orders without a call. Orders that are not payable any more are left out: undefined. */
  async recordFailedCharges(
    _tx: Tx,
    _charges: readonly FailedCharge[],
  ): Promise<(RecordedCharge | undefined)[]> {
    throw new Error('not written yet')
  }

  /**
   * Voids orders at the end of their grace: voids unsettled money, refunds settled money. `waiting`: something is
   * unresolved or under way; it goes on by itself, or ask again. Not inside a transaction.
   */
  async voidOrdersNow(
    _businessId: string,
    _orders: readonly { orderId: string; at: Instant }[],
  ): Promise<Map<string, 'voided' | 'paid' | 'waiting'>> {
    throw new Error('not written yet')
  }

  /** Orders by id, with their transactions; not locked. */
  async findOrders(_tx: Tx, _ids: readonly string[]): Promise<Map<string, OrderWithTransactions>> {
    throw new Error('not written yet')
  }

  /** Which of these reference numbers orders already have. */
  async takenReferences(_tx: Tx, _references: readonly string[]): Promise<Set<string>> {
    throw new Error('not written yet')
  }

  /** The Order of the interface, as answers and events show it. `now` decides what is settled. */
  renderOrder(_order: Order, _transactions: readonly Transaction[], _now: Instant): object {
    throw new Error('not written yet')
  }

  /** The payment link, or undefined when the order is not payable. Of a plan's order with a timeout it closes by itself. */
  paymentLink(_businessId: string, _order: Order, _now: Instant): string | undefined {
    throw new Error('not written yet')
  }
}

export interface OrderWithTransactions {
  readonly order: Order
  readonly transactions: readonly Transaction[]
}
