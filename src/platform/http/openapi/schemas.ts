import type { TSchema } from 'typebox'
import { EXACT_NUMBER, EXPECTED } from '#platform/http/validation/schemas'

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue }

/** The schemas of a document as others read them. A resource (`schemas.Resource`) stands once, under its title. */
export class DocumentedSchemas {
  readonly #named = new Map<string, JsonValue>()

  /** What stands at the place of the schema: the schema, or a reference to a resource. */
  schemaOrReference(schema: TSchema): JsonValue {
    const { title } = schema as { title?: string }
    if (title === undefined) return this.#written(schema)
    const { title: _, ...resource } = this.#written(schema) as Record<string, JsonValue>
    const known = this.#named.get(title)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(resource)) {
      throw new Error(`two resources are called ${title}`)
    }
    this.#named.set(title, resource)
    return { $ref: `#/components/schemas/${title}` }
  }

  /** The resources that were shown, and what they consist of, by title. */
  named(): Record<string, JsonValue> {
    return Object.fromEntries(this.#named)
  }

  /** Without what only our own checks understand: plain JSON Schema. */
  #written(schema: TSchema): JsonValue {
    return JSON.parse(
      JSON.stringify(schema, (_member, value: unknown) => {
        if (typeof value !== 'object' || value === null) return value
        if (value !== schema && isResource(value)) return this.schemaOrReference(value)
        if (EXACT_NUMBER in value) {
          const { [EXACT_NUMBER]: _mark, ...rest } = value
          return { type: 'number', ...rest }
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

/** Of the `title` of a schema, not of a member that is called so. */
function isResource(value: object): value is TSchema {
  return 'title' in value && typeof value.title === 'string'
}
