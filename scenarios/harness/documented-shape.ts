import type { TSchema } from 'typebox'
import { firstProblem } from '#platform/http/validation/schema-problem'

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

/** The body of a webhook. */
export interface EventMessage {
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
  readonly sequence: number
  readonly object_id: string
}

/** The shapes of replies and webhooks in a service's openapi.json. */
export class DocumentedShapes {
  readonly #document: Document
  readonly #schemas = new Map<string, TSchema | undefined>()

  private constructor(document: Document) {
    this.#document = document
  }

  static #loaded: Promise<DocumentedShapes> | undefined

  /** Loads them once for all files of a process: every service has all routes, whatever its settings are. */
  static load(baseUrl: string): Promise<DocumentedShapes> {
    DocumentedShapes.#loaded ??= DocumentedShapes.#fetch(baseUrl).catch((error: unknown) => {
      DocumentedShapes.#loaded = undefined
      throw error
    })
    return DocumentedShapes.#loaded
  }

  static async #fetch(baseUrl: string): Promise<DocumentedShapes> {
    const response = await fetch(`${baseUrl}/openapi.json`)
    return new DocumentedShapes((await response.json()) as Document)
  }

  /** Describes the first difference between a reply and its documented shape. An undocumented member is a difference. */
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

  /** Describes the first difference between a webhook and the documented shape of its type. */
  eventMismatch(message: EventMessage): string | undefined {
    const { type } = message
    if (!this.#schemas.has(type)) this.#schemas.set(type, this.#schemaOfEvent(type))
    const schema = this.#schemas.get(type)
    if (schema === undefined) return `${type}: the event type is not documented`
    const problem = firstProblem(schema, message)
    return problem && `${type}: ${problem.path} ${problem.what}`
  }

  /** The documented path, with parameters as `{id}`. An operation with exactly this path wins. */
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
    const documented = this.#operation(method, template)?.responses[status]
    if (documented === undefined) return undefined
    const { $ref } = documented
    const response = $ref === undefined ? documented : (this.#resolve($ref) as Response)
    return this.#closedSchema(response.content['application/json'].schema)
  }

  #schemaOfEvent(type: string): TSchema | undefined {
    const body = this.#document.webhooks[type]?.post.requestBody
    return body && this.#closedSchema(body.content['application/json'].schema)
  }

  /** The schema with resolved references and without undocumented members. */
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
