/**
 * Writes sdk/src/generated from openapi.json, and the table of methods in sdk/README.md from the methods. With --check, it only
 * compares the committed files.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { amountTables } from './amounts.ts'
import { Quittance } from '../src/quittance.ts'
import { type Description, type Operation, readDescription } from './describe.ts'

const HEADER = '// Generated from openapi.json by `npm run sdk:generate`. Do not edit.\n'

const description = readDescription()
const files = {
  'src/generated/api.ts': await apiTypes(description),
  'src/generated/amounts.ts': amounts(description),
  'README.md': withMethods(read('README.md') ?? ''),
}

const stale = Object.entries(files).filter(([name, text]) => read(name) !== text)
if (!process.argv.includes('--check')) {
  for (const [name, text] of stale) writeFileSync(fileOf(name), text)
} else if (stale.length > 0) {
  const names = stale.map(([name]) => name).join(', ')
  console.error(`sdk: ${names} is not up to date; update with: npm run sdk:generate`)
  process.exit(1)
} else {
  console.log('sdk/src/generated matches openapi.json, and the README the methods')
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url))
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

/** A row for each resource; those that follow each other with the same methods share one. */
function withMethods(readme: string): string {
  const client = new Quittance({ apiKey: null, baseUrl: 'http://127.0.0.1' })
  const rows: { names: string[]; methods: string }[] = []
  for (const [name, resource] of Object.entries(client)) {
    const isMethod = typeof resource === 'function'
    const methods = isMethod ? 'is a method itself' : methodsOf(resource as object)
    const last = rows.at(-1)
    if (last?.methods === methods) last.names.push(`\`${name}\``)
    else rows.push({ names: [isMethod ? `\`${name}(…)\`` : `\`${name}\``], methods })
  }
  const table = rows.map(({ names, methods }) => `| ${names.join(', ')} | ${methods} |\n`).join('')
  return readme.replace(/(?<=\n\| Resource \| Methods \|\n\|---\|---\|\n)(?:\|.*\|\n)+/, () => table)
}

function methodsOf(resource: object): string {
  return Object.keys(resource)
    .map((method) => `\`${method}\``)
    .join(' ')
}
