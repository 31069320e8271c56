/** The parts of openapi.json that the scripts of the SDK read. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema } }
}

export interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface DescribedOperation extends Operation {
  readonly method: string
  readonly path: string
}

export const DESCRIPTION_FILE = fileURLToPath(new URL('../../openapi.json', import.meta.url))

export function readDescription(): Description {
  return JSON.parse(readFileSync(DESCRIPTION_FILE, 'utf8')) as Description
}

export function operationsOf({ paths }: Description): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
}

export function schemaOf(content: Content | undefined): Schema {
  return content?.content?.['application/json']?.schema ?? {}
}
