import type { OrdersChangedHandler } from '#modules/payments'
import { queueFacts } from '../storage/fact.repository.ts'
import { combineFacts } from './combine-facts.ts'
import { factsOfChange } from './facts-of-change.ts'

export const handleOrderChanges: OrdersChangedHandler = async (tx, changes) => {
  const facts = combineFacts(changes.flatMap(factsOfChange))
  if (facts.length > 0) queueFacts(tx, facts)
}
