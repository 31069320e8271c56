import type { Client } from './client.ts'
import { exampleOf, type JsonSchema } from './schema-mutations.ts'

/** An operation of openapi.json, with a request of the right form for it. */
export interface Operation {
  readonly method: string
  /** With parameters as `{id}`. */
  readonly path: string
  readonly bodySchema: JsonSchema | undefined
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  /** A request to things that do not exist. */
  example(): { path: string; headers: Record<string, string>; body: unknown }
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: Operation['parameters']
        requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
      }
    >
  >
  components: { schemas: Record<string, unknown> }
}

/** Every operation that the running service documents. */
export async function operationsOf(client: Client): Promise<Operation[]> {
  const response = await fetch(`${client.sandbox.base_url}/openapi.json`)
  const document = (await response.json()) as Document
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const written = operation.requestBody?.content['application/json'].schema
      const bodySchema = written && (withReferences(written, document) as JsonSchema)
      return {
        method: method.toUpperCase(),
        path,
        bodySchema,
        parameters: operation.parameters ?? [],
        example: () => ({
          path: path.replace(/\{\w+\}/g, 'no-such-thing'),
          headers: { 'x-p-customer-code': client.sandbox.customer_code },
          body: bodySchema === undefined ? undefined : exampleOf(bodySchema),
        }),
      }
    }),
  )
}

/** A schema with the named schemas that it refers to in their places. */
function withReferences(schema: unknown, document: Document): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((element) => withReferences(element, document))
  if ('$ref' in schema && typeof schema.$ref === 'string') {
    const name = schema.$ref.replace('#/components/schemas/', '')
    return withReferences(document.components.schemas[name], document)
  }
  return Object.fromEntries(
    Object.entries(schema).map(([member, value]) => [member, withReferences(value, document)]),
  )
}
