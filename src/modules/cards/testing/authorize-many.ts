import type { Caller } from '#platform/caller'
import { openDatabase } from '#platform/postgres/open-database'
import { EventLog } from '#platform/events/events'
import { renderAuthorizationData, renderCardData } from '../api/render.ts'
import { authorizeBatch } from '../decisions/authorize-batch.ts'
import { DecisionQueues } from '../decisions/decision-queue.ts'
import { decisionRequest } from './decision-request.ts'

/**
 * A program that authorizes 1.00 on a card, 16 requests at a time, and writes a line for each decision, until it is killed.
 * Arguments: database URL, caller as JSON, card id.
 */
const [url = '', callerJson = '', cardId = ''] = process.argv.slice(2)
const caller = JSON.parse(callerJson) as Caller
const db = await openDatabase({ url, maxConnections: 4, readers: 1 })
const ctx = {
  events: new EventLog(),
  present: { card: renderCardData, authorization: renderAuthorizationData },
}
const queues = new DecisionQueues((businessId, requests) =>
  db.transact(businessId, (tx) => authorizeBatch(ctx, tx, requests)),
)

async function authorizeForever(): Promise<void> {
  for (;;) {
    const decision = await queues.submit(caller.businessId, decisionRequest(caller, cardId))
    if (decision.kind !== 'decided') throw new Error(`expected a decision, got ${decision.kind}`)
    const { uuid, state } = decision.authorization
    process.stdout.write(`${JSON.stringify({ uuid, approved: state !== 'declined' })}\n`)
  }
}

await Promise.all(Array.from({ length: 16 }, authorizeForever))
