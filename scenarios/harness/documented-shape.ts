import type { TSchema } from 'typebox'
import { firstProblem } from '#platform/http/validation/schema-problem'

/** A schema of openapi.json, which is JSON Schema. */
interface Schema {
  readonly $ref?: string
  readonly properties?: Record<string, Schema>
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Response {
  readonly $ref?: string
  readonly content: { readonly 'application/json': { readonly schema: Schema } }
}

interface Operation {
  readonly responses: Record<string, Response>
}

interface Document {
  readonly webhooks: Record<string, { readonly post: { readonly requestBody: Response } }>
  readonly paths: Record<string, Record<string, Operation>>
}

/** What receivers are sent of an event. */
export interface EventMessage {
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
  readonly sequence: number
  readonly object_id: string
}

/** What a service documents of its answers, and of what it tells receivers. */
export class DocumentedShapes {
  readonly #document: Document
  readonly #schemas = new Map<string, TSchema | undefined>()

  private constructor(document: Document) {
    this.#document = document
  }

  static async load(baseUrl: string): Promise<DocumentedShapes> {
    const response = await fetch(`${baseUrl}/openapi.json`)
    return new DocumentedShapes((await response.json()) as Document)
  }

  /** Where an answer is not as documented, a member that is not named included; undefined when it is. */
  mismatch(method: string, path: string, status: number, envelope: unknown): string | undefined {
    const template = this.#templateOf(path)
    const key = `${method} ${template} ${status}`
    if (!this.#schemas.has(key)) this.#schemas.set(key, this.#schemaOf(method, template, status))
    const schema = this.#schemas.get(key)
    if (schema === undefined) {
      const isOperation = this.#operation(method, template) !== undefined
      return isOperation ? `${key}: the status is not documented` : undefined
    }
    const problem = firstProblem(schema, envelope)
    return problem && `${key}: ${problem.path} ${problem.what}`
  }

  eventTypes(): string[] {
    return Object.keys(this.#document.webhooks)
  }

  /** Where what a receiver is told of an event is not as documented for its type. */
  eventMismatch(message: EventMessage): string | undefined {
    const { type } = message
    if (!this.#schemas.has(type)) this.#schemas.set(type, this.#schemaOfMessage(type))
    const schema = this.#schemas.get(type)
    if (schema === undefined) return `${type}: is not known`
    const problem = firstProblem(schema, message)
    return problem && `${type}: ${problem.path} ${problem.what}`
  }

  /** The path as it is documented: with parameters as `{id}`, where there is no operation of just that name. */
  #templateOf(path: string): string | undefined {
    const [plain = ''] = path.split('?')
    if (plain in this.#document.paths) return plain
    return Object.keys(this.#document.paths).find((template) =>
      new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain),
    )
  }

  #operation(method: string, template: string | undefined): Operation | undefined {
    return this.#document.paths[template ?? '']?.[method.toLowerCase()]
  }

  #schemaOf(method: string, template: string | undefined, status: number): TSchema | undefined {
    const found = this.#operation(method, template)?.responses[status]
    if (found === undefined) return undefined
    const response = found.$ref === undefined ? found : (this.#resolve(found.$ref) as Response)
    return this.#closedSchema(response.content['application/json'].schema)
  }

  #schemaOfMessage(type: string): TSchema | undefined {
    const body = this.#document.webhooks[type]?.post.requestBody
    return body && this.#closedSchema(body.content['application/json'].schema)
  }

  /** The schema with its references in place, which refuses members that it does not name. */
  #closedSchema(schema: Schema): Schema {
    if (schema.$ref !== undefined) return this.#closedSchema(this.#resolve(schema.$ref) as Schema)
    const { properties, items, anyOf } = schema
    const names = Object.keys(properties ?? {})
    return {
      ...schema,
      ...(names.length > 0 && {
        properties: Object.fromEntries(
          names.map((name) => [name, this.#closedSchema(properties?.[name] ?? {})]),
        ),
        additionalProperties: false,
      }),
      ...(items && { items: this.#closedSchema(items) }),
      ...(anyOf && { anyOf: anyOf.map((choice) => this.#closedSchema(choice)) }),
    }
  }

  #resolve(reference: string): unknown {
    const parts = reference.replace('#/', '').split('/')
    return parts.reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], this.#document)
  }
}
