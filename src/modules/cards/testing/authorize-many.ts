import type { Caller } from '#platform/caller'
import { openDatabase } from '#platform/postgres/open-database'
import { EventLog } from '#platform/events/events'
import { renderAuthorizationData, renderCardData } from '../api/render.ts'
import { decisionsOf } from '../decisions/authorize-batch.ts'
import { decisionRequest } from './decision-request.ts'

/**
 * A program that authorizes 1.00 on a card, 16 requests at a time, and writes a line for each decision, until it is killed.
 * Arguments: database URL, caller as JSON, card id.
 */
const [url = '', callerJson = '', cardId = ''] = process.argv.slice(2)
const caller = JSON.parse(callerJson) as Caller
const db = await openDatabase({ url, maxConnections: 4, readers: 1 })
const decisions = decisionsOf({
  db,
  events: new EventLog(),
  present: { card: renderCardData, authorization: renderAuthorizationData },
})

async function authorizeForever(): Promise<void> {
  for (;;) {
    const decision = await decisions.submit(caller.businessId, decisionRequest(caller, cardId))
    if (decision.kind !== 'decided') throw new Error(`expected a decision, got ${decision.kind}`)
    const { uuid, state } = decision.authorization
    process.stdout.write(`${JSON.stringify({ uuid, approved: state !== 'declined' })}\n`)
  }
}

await Promise.all(Array.from({ length: 16 }, authorizeForever))
