import { type Answered, type CallOptions, Client } from './client.ts'
import { DocumentedShapes } from './documented-shape.ts'

/**
 * Holds every answer, whatever the scenario looks at in it, to the shape that openapi.json says: it is what merchants'
 * programs are generated from.
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
    this.#shapes ??= DocumentedShapes.of(this.sandbox.base_url)
    const departure = (await this.#shapes).departure(method, path, status, envelope)
    if (departure !== undefined) throw new Error(`openapi.json says otherwise: ${departure}`)
    return answer
  }
}
