import { type ApiReply, type CallOptions, Client } from './client.ts'
import { DocumentedShapes, type EventMessage } from './documented-shape.ts'

/** Checks every reply and every listed event against openapi.json, from which merchants generate their clients. */
export class CheckingClient extends Client {
  #shapes: Promise<DocumentedShapes> | undefined

  override async call(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<ApiReply> {
    const reply = await super.call(method, path, body, options)
    const { status, headers: _, ...envelope } = reply
    this.#shapes ??= DocumentedShapes.load(this.sandbox.base_url)
    const shapes = await this.#shapes
    const mismatch =
      shapes.mismatch(method, path, status, envelope) ?? mismatchOfAny(shapes, reply.data?.events ?? [])
    if (mismatch !== undefined) throw new Error(`the reply differs from openapi.json: ${mismatch}`)
    return reply
  }

  /** Reads the newest events of every type, so that events which no scenario reads are checked too. */
  async readEvents(): Promise<void> {
    this.#shapes ??= DocumentedShapes.load(this.sandbox.base_url)
    for (const type of (await this.#shapes).eventTypes())
      await this.ok('GET', `/svc/event/api/v1/openapi/events?type=${type}`)
  }
}

function mismatchOfAny(shapes: DocumentedShapes, events: readonly EventMessage[]): string | undefined {
  for (const { type, timestamp, data, sequence, object_id } of events) {
    const mismatch = shapes.eventMismatch({ type, timestamp, data, sequence, object_id })
    if (mismatch !== undefined) return mismatch
  }
  return undefined
}
