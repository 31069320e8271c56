import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { currentCause } from '#platform/events/events'
import type { DecisionRequest } from '../model/decision.ts'

export function decisionRequest(caller: Caller, cardId: string): DecisionRequest {
  return {
    cardId,
    referenceId: newId('ref'),
    amountMinor: 100n,
    currency: 'HKD',
    merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
    caller,
    cause: currentCause(),
  }
}
