import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import type { NewEvent } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import type { BankTransfersDependencies } from './dependencies.ts'
import type { BankEntryView } from './model/bank-entry.ts'

interface Presentation {
  readonly entry: (view: BankEntryView) => object
}

interface MovedCredit {
  readonly planId: string
  readonly orderId: string
  readonly customerUuid: string
  readonly amount: Money
  readonly note: string
  readonly at: Instant
}

/** Adds the overpayment of an order to the credit of a plan, in the transaction that takes it off the order. */
export type MovedCreditHandler = (tx: Tx, credit: MovedCredit) => Promise<Refused<'plan_mismatch'> | null>

export interface BankTransfersContext extends BankTransfersDependencies {
  readonly movedCreditHandlers: MovedCreditHandler[]
  readonly present: Presentation
}

export function entryEvent(
  { present }: BankTransfersContext,
  type: 'bank_entry.matched' | 'bank_entry.unmatched',
  view: BankEntryView,
): NewEvent {
  const { id, updatedAt } = view.entry
  return { type, objectId: id, timestamp: updatedAt, data: present.entry(view), keepsActor: true }
}
