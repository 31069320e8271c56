/** Writes sdk/src/generated from openapi.json. With --check, it only compares the committed files. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { amountTables } from './amounts.ts'
import { type Description, type Operation, readDescription } from './describe.ts'

const HEADER = '// Generated from openapi.json by `npm run sdk:generate`. Do not edit.\n'

const description = readDescription()
const files = {
  'api.ts': await apiTypes(description),
  'amounts.ts': amounts(description),
}

const stale = Object.entries(files).filter(([name, text]) => read(name) !== text)
if (!process.argv.includes('--check')) {
  for (const [name, text] of stale) writeFileSync(fileOf(name), text)
} else if (stale.length > 0) {
  const names = stale.map(([name]) => name).join(', ')
  console.error(`sdk/src/generated: ${names} does not match openapi.json; update with: npm run sdk:generate`)
  process.exit(1)
} else {
  console.log('sdk/src/generated matches openapi.json')
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`../src/generated/${name}`, import.meta.url))
}

function read(name: string): string | undefined {
  try {
    return readFileSync(fileOf(name), 'utf8')
  } catch {
    return undefined
  }
}

/** Amounts are strings in the SDK. In openapi.json they are numbers of the format `decimal`. */
async function apiTypes(source: Description): Promise<string> {
  const nodes = await openapiTS(withoutHeadersAndErrors(source), {
    silent: true,
    inject: "import type { Decimal } from '../money.ts'\n",
    transform: ({ type, format }) =>
      type === 'number' && format === 'decimal' ? ts.factory.createTypeReferenceNode('Decimal') : undefined,
  })
  return HEADER + astToString(nodes)
}

/** Headers are options of the SDK, and failures are its error classes. */
function withoutHeadersAndErrors({ components, ...source }: Description): OpenAPI3 {
  const shorten = (methods: Readonly<Record<string, Operation>>) =>
    Object.fromEntries(
      Object.entries(methods).map(([method, { parameters, responses, ...operation }]) => [
        method,
        {
          ...operation,
          parameters: parameters.filter((parameter) => parameter.in === 'path' || parameter.in === 'query'),
          responses: { 200: { description: 'Success.', ...content(responses['200']) } },
        },
      ]),
    )
  const shortenAll = (paths: Description['paths']) =>
    Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path, shorten(methods)]))
  return {
    ...source,
    paths: shortenAll(source.paths),
    webhooks: shortenAll(source.webhooks),
    components: { schemas: components.schemas },
  } as unknown as OpenAPI3
}

function content(response: Operation['responses'][string] | undefined) {
  return response?.content === undefined ? {} : { content: response.content }
}

function amounts(source: Description): string {
  const { requests, responses } = amountTables(source)
  const table = (value: unknown) => JSON.stringify(value, null, 2)
  return `${HEADER}import type { Amounts } from '../json.ts'

/** The amounts in the body of a request that are JSON numbers. */
export const REQUEST_AMOUNTS: Readonly<Record<string, Amounts>> = ${table(requests)}

/** The amounts in \`data\` of every response, failure and event that are JSON numbers. */
export const RESPONSE_AMOUNTS: Amounts = ${table(responses)}
`
}
