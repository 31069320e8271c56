import type { NewEvent } from '#platform/events/events'
import type { BankTransfersDependencies } from './dependencies.ts'
import type { BankEntryView } from './model/bank-entry.ts'

interface Presentation {
  readonly entry: (view: BankEntryView) => object
}

export interface BankTransfersContext extends BankTransfersDependencies {
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
