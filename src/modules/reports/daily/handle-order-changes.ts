import type { OrdersChangedHandler } from '#modules/payments'
import type { ReportsDependencies } from '../dependencies.ts'
import { queueFacts } from '../storage/fact.repository.ts'
import { combineFacts } from './combine-facts.ts'
import { factsOfChange } from './facts-of-change.ts'

export function handleOrderChanges({
  businesses,
}: Pick<ReportsDependencies, 'businesses'>): OrdersChangedHandler {
  return async (tx, changes) => {
    const { timeZone } = await businesses.profile(tx.businessId)
    const facts = combineFacts(changes.flatMap((change) => factsOfChange(change, timeZone)))
    if (facts.length > 0) queueFacts(tx, facts)
  }
}
