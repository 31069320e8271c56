import { type ApiReply, type CallOptions, Client } from './client.ts'
import { DocumentedShapes, type EventMessage } from './documented-shape.ts'

const EVENTS = '/svc/event/api/v1/openapi/events'

/** Checks every reply and every listed event against openapi.json, from which merchants generate their clients. */
export class CheckingClient extends Client {
  override async call(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<ApiReply> {
    const reply = await super.call(method, path, body, options)
    const { status, headers: _, ...envelope } = reply
    const shapes = await DocumentedShapes.load(this.sandbox.base_url)
    const mismatch =
      shapes.mismatch(method, path, status, envelope) ?? mismatchOfAny(shapes, reply.data?.events ?? [])
    if (mismatch !== undefined) throw new Error(`the reply differs from openapi.json: ${mismatch}`)
    return reply
  }

  /** Reads all events, or the newest of every type if there are many, so that events which no scenario reads are checked too. */
  async readEvents(): Promise<void> {
    const { page } = await this.ok('GET', `${EVENTS}?limit=100`)
    if (!page.has_more) return
    const shapes = await DocumentedShapes.load(this.sandbox.base_url)
    for (const type of shapes.eventTypes()) await this.ok('GET', `${EVENTS}?type=${type}`)
  }
}

function mismatchOfAny(shapes: DocumentedShapes, events: readonly EventMessage[]): string | undefined {
  for (const { type, timestamp, data, sequence, object_id } of events) {
    const mismatch = shapes.eventMismatch({ type, timestamp, data, sequence, object_id })
    if (mismatch !== undefined) return mismatch
  }
  return undefined
}
