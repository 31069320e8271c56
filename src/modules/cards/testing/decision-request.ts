import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import type { DecisionRequest } from '../decisions/decide-batch.ts'

/** A request to authorize 1.00 on a card, under a reference of its own. */
export function decisionRequest(caller: Caller, cardId: string): DecisionRequest {
  return {
    cardId,
    referenceId: newId('ref'),
    amountMinor: 100n,
    currency: 'HKD',
    merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
    caller,
  }
}
