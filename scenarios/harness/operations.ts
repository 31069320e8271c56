import type { Client } from './client.ts'
import { exampleOf, type JsonSchema } from './schema-mutations.ts'

export interface Operation {
  readonly method: string
  /** Parameters are written as `{id}`. */
  readonly path: string
  readonly bodySchema: JsonSchema | undefined
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  /** A valid request for objects that do not exist. */
  example(): { path: string; headers: Record<string, string>; body: unknown }
}

/** Parameters of paths that are one of a few words. */
const ONE_OF_A_FEW: Readonly<Record<string, string>> = { kind: 'receipt', language: 'en' }

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

/** The operations in the openapi.json of a running service. */
export async function operationsOf(client: Client): Promise<Operation[]> {
  const response = await fetch(`${client.sandbox.base_url}/openapi.json`)
  const document = (await response.json()) as Document
  const { uuid } = await client.createCustomer()
  // What a session may not do is refused before anything else.
  await client.ok('PUT', '/svc/billing/api/v1/openapi/portal', {
    portal: { allow: await everything(client) },
  })
  const { portal_session: portal } = await client.ok('POST', '/svc/billing/api/v1/openapi/portal/sessions', {
    portal_session: { customer_uuid: uuid },
  })
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const schema = operation.requestBody?.content['application/json'].schema
      const bodySchema = schema && (withoutReferences(schema, document) as JsonSchema)
      return {
        method: method.toUpperCase(),
        path,
        bodySchema,
        parameters: operation.parameters ?? [],
        example: () => ({
          path: path.replace(/\{(\w+)\}/g, (_, name: string) => ONE_OF_A_FEW[name] ?? 'no-such-object'),
          headers: {
            'x-p-customer-code': client.sandbox.customer_code,
            ...(path.startsWith('/svc/portal/') && { authorization: `Bearer ${portal.token}` }),
          },
          body: bodySchema === undefined ? undefined : exampleOf(bodySchema),
        }),
      }
    }),
  )
}

async function everything(client: Client): Promise<object> {
  return {
    invoices: true,
    payment_methods: true,
    billing_details: true,
    usage: true,
    reactivate: true,
    change: { price_ids: [await client.createItem(1)] },
    pause: { max_days: 1 },
    cancel: { reasons: ['none'] },
  }
}

/** Replaces references by the schemas that they name. */
function withoutReferences(schema: unknown, document: Document): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((element) => withoutReferences(element, document))
  if ('$ref' in schema && typeof schema.$ref === 'string') {
    const name = schema.$ref.replace('#/components/schemas/', '')
    return withoutReferences(document.components.schemas[name], document)
  }
  return Object.fromEntries(
    Object.entries(schema).map(([member, value]) => [member, withoutReferences(value, document)]),
  )
}
