import type { Caller } from '#platform/caller'
import { Database } from '#platform/postgres/database'
import { EventLog } from '#platform/events/events'
import { decideBatch } from '../decisions/decide-batch.ts'
import { DecisionQueues } from '../decisions/decision-queue.ts'
import { decisionRequest } from './decision-request.ts'

/**
 * A process that authorizes 1.00 on a card, 16 at a time, and writes a line for each answer, until it is killed.
 * Arguments: the database's URL, the caller as JSON, the card's id.
 */
const [url = '', callerJson = '', cardId = ''] = process.argv.slice(2)
const caller = JSON.parse(callerJson) as Caller
const db = new Database({ url, maxConnections: 4, readers: 1 })
const deps = { db, events: new EventLog() }
const batches = new DecisionQueues((businessId, requests) =>
  db.transact(businessId, (tx) => decideBatch(deps, tx, requests)),
)

async function authorizeForever(): Promise<void> {
  for (;;) {
    const verdict = await batches.submit(caller.businessId, decisionRequest(caller, cardId))
    if (verdict.kind !== 'decided') throw new Error(`the verdict is ${verdict.kind}`)
    const { uuid, state } = verdict.authorization
    process.stdout.write(`${JSON.stringify({ uuid, approved: state !== 'declined' })}\n`)
  }
}

await Promise.all(Array.from({ length: 16 }, authorizeForever))
