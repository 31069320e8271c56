import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/schema'
import { acquirerData } from '../../common/acquirer-data.ts'
import type { Exchange } from './witness.ts'

const DESCRIPTIONS = {
  checkout: 'CheckoutService-v72.json',
  disputes: 'DisputeService-v30.json',
  webhooks: 'Webhooks-v1.json',
} as const

interface Content {
  readonly 'application/json'?: {
    readonly schema: { readonly $ref: string }
    readonly examples?: Readonly<Record<string, { readonly $ref: string }>>
  }
}

interface Operation {
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Description {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  }
}

/** Adyen's OpenAPI descriptions, as far as the acquirers' data is there. */
const descriptions = Object.fromEntries(
  Object.entries(DESCRIPTIONS).flatMap(([name, file]) => {
    const path = acquirerData(`adyen/${file}`)
    return path === undefined ? [] : [[name, JSON.parse(readFileSync(path, 'utf8')) as Description]]
  }),
)

export const hasDescriptions = Object.keys(descriptions).length > 0

type DescriptionName = keyof typeof DESCRIPTIONS

function description(name: DescriptionName): Description {
  const found = descriptions[name]
  if (found === undefined) throw new Error('The descriptions are absent')
  return found
}

const validators = new Map<string, ReturnType<typeof Compile>>()

function validatorOf(name: DescriptionName, $ref: string): ReturnType<typeof Compile> {
  const place = `${name} ${$ref}`
  const known = validators.get(place)
  if (known !== undefined) return known
  const compiled = Compile({ components: description(name).components, $ref })
  validators.set(place, compiled)
  return compiled
}

function problems(name: DescriptionName, content: Content | undefined, value: unknown): string[] {
  const $ref = content?.['application/json']?.schema.$ref
  if ($ref === undefined) return []
  const validator = validatorOf(name, $ref)
  if (validator.Check(value)) return []
  const [, errors] = validator.Errors(value)
  const listed = errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')
  return [`${$ref.split('/').at(-1)}: ${listed} in ${JSON.stringify(value)}`]
}

const PREFIXES: readonly (readonly [prefix: string, name: DescriptionName])[] = [
  ['/v72', 'checkout'],
  ['/ca/services/DisputeService/v30', 'disputes'],
]

/** Differences between an exchange and Adyen's descriptions. A refused request may have any form. */
export function problemsOf(exchanges: readonly Exchange[]): string[] {
  return exchanges.flatMap(({ request, reply }) => {
    const found = PREFIXES.find(([prefix]) => request.path.startsWith(`${prefix}/`))
    if (found === undefined) return []
    const [prefix, name] = found
    const operation = operationAt(name, request.method, request.path.slice(prefix.length))
    if (operation === undefined) return [`${request.method} ${request.path} is not described`]
    // 404 and 429 are not described, but have the form of the others.
    const response = operation.responses[reply.status] ?? operation.responses['422']
    const sent =
      reply.status < 300 && request.method === 'POST'
        ? problems(name, operation.requestBody?.content, JSON.parse(request.body))
        : []
    if (reply.body === '') return sent
    return [...sent, ...problems(name, response?.content, JSON.parse(reply.body))]
  })
}

function operationAt(name: DescriptionName, method: string, path: string): Operation | undefined {
  const entry = Object.entries(description(name).paths ?? {}).find(([template]) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  return entry?.[1][method.toLowerCase()]
}

/** Differences between a standard webhook's body and Adyen's description of its event. */
export function problemsOfNotice(body: string): string[] {
  const value = JSON.parse(body) as {
    notificationItems: [{ NotificationRequestItem: { eventCode: string } }]
  }
  const { eventCode } = value.notificationItems[0].NotificationRequestItem
  const webhooks = description('webhooks').webhooks ?? {}
  const webhook = webhooks[`/${eventCode}`] ?? webhooks[eventCode]
  return webhook === undefined
    ? [`${eventCode} is not described`]
    : problems('webhooks', webhook.post.requestBody?.content, value)
}

/** The value of an example of Checkout, such as `post-payments-card-direct`. */
export function exampleOf(name: string): Record<string, unknown> {
  const example = description('checkout').components.examples[name]
  if (example === undefined) throw new Error(`There is no example ${name}`)
  return structuredClone(example.value) as Record<string, unknown>
}

export function exampleOfNotice(eventCode: string): Record<string, unknown> {
  const name = `post-${eventCode}-${eventCode.toLowerCase()}`
  const example = description('webhooks').components.examples[name]
  if (example === undefined) throw new Error(`There is no example ${name}`)
  return structuredClone(example.value) as Record<string, unknown>
}
