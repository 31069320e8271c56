import type { TSchema } from 'typebox'
import { EXACT_NUMBER, EXPECTED } from '#platform/http/validation/schemas'

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue }

export class DocumentedSchemas {
  readonly #named = new Map<string, JsonValue>()

  schemaOrReference(schema: TSchema): JsonValue {
    const { title } = schema as { title?: string }
    if (title === undefined) return this.#plainSchema(schema)
    const { title: _, ...resource } = this.#plainSchema(schema) as Record<string, JsonValue>
    const existing = this.#named.get(title)
    if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(resource)) {
      throw new Error(`two resources have the name ${title}`)
    }
    this.#named.set(title, resource)
    return { $ref: `#/components/schemas/${title}` }
  }

  named(): Record<string, JsonValue> {
    return Object.fromEntries(this.#named)
  }

  #plainSchema(schema: TSchema): JsonValue {
    return JSON.parse(
      JSON.stringify(schema, (_member, value: unknown) => {
        if (typeof value !== 'object' || value === null) return value
        if (value !== schema && isResource(value)) return this.schemaOrReference(value)
        if (EXACT_NUMBER in value) {
          const { [EXACT_NUMBER]: _mark, ...rest } = value
          return { type: 'number', format: 'decimal', ...rest }
        }
        if (EXPECTED in value) {
          const { [EXPECTED]: _expected, ...rest } = value
          return rest
        }
        return value
      }),
    ) as JsonValue
  }
}

function isResource(value: object): value is TSchema {
  return 'title' in value && typeof value.title === 'string'
}
