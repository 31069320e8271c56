import { type Answered, type CallOptions, Client } from './client.ts'
import { DocumentedShapes, type EventMessage } from './documented-shape.ts'

/**
 * Holds every answer, whatever the scenario looks at in it, and every event that it lists, to the shape that openapi.json
 * says: it is what merchants' programs are generated from.
 */
export class CheckingClient extends Client {
  #shapes: Promise<DocumentedShapes> | undefined

  override async call(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answered> {
    const answer = await super.call(method, path, body, options)
    const { status, headers: _, ...envelope } = answer
    this.#shapes ??= DocumentedShapes.load(this.sandbox.base_url)
    const shapes = await this.#shapes
    const departure =
      shapes.mismatch(method, path, status, envelope) ?? mismatchOfAny(shapes, answer.data?.events ?? [])
    if (departure !== undefined) throw new Error(`openapi.json says otherwise: ${departure}`)
    return answer
  }

  /** Reads the newest events of every type, for whatever was told of what nobody looked at. */
  async readEvents(): Promise<void> {
    this.#shapes ??= DocumentedShapes.load(this.sandbox.base_url)
    for (const type of (await this.#shapes).eventTypes())
      await this.ok('GET', `/svc/event/api/v1/openapi/events?type=${type}`)
  }
}

function mismatchOfAny(shapes: DocumentedShapes, events: readonly EventMessage[]): string | undefined {
  for (const { type, timestamp, data, sequence, object_id } of events) {
    const departure = shapes.eventMismatch({ type, timestamp, data, sequence, object_id })
    if (departure !== undefined) return departure
  }
  return undefined
}
