import { WebhookVerificationError } from './errors.ts'
import { RESPONSE_AMOUNTS } from './generated/amounts.ts'
import type { webhooks } from './generated/api.ts'
import { readJson } from './json.ts'

export type EventType = keyof webhooks

type Message<Type extends EventType> = webhooks[Type]['post']['requestBody']['content']['application/json']

/** Of two shapes, the one with all members: the other one is the truncated form, which it includes. */
type Complete<Data, All = Data> = Data extends unknown
  ? Exclude<All, Data> extends Data
    ? never
    : Data
  : never

/** What an event of this type is about: `EventData<'order.paid'>` is `{order}`. */
export type EventData<Type extends EventType> = Complete<Message<Type>['data']>

type Untruncated<Type extends EventType> = Omit<Message<Type>, 'data' | 'truncated'> & {
  /** Equals `webhook-id`. A message may arrive more than once, always with the same id. */
  readonly id: string
  readonly truncated?: undefined
  readonly data: EventData<Type>
}

type Truncated<Type extends EventType> = Omit<Message<Type>, 'data' | 'truncated'> & {
  readonly id: string
  /** The message would have exceeded 20 kB. Read the objects by their identifiers. */
  readonly truncated: true
  readonly data: Exclude<Message<Type>['data'], EventData<Type>>
}

/** A verified message, distinguished by `type`, and by `truncated` where identifiers are not enough. */
export type WebhookEvent = { [Type in EventType]: Untruncated<Type> | Truncated<Type> }[EventType]

export interface WebhookOptions {
  /** How far the message's time may be from now, in either direction. Default: 300. */
  readonly toleranceSeconds?: number
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Verifies a message (https://www.standardwebhooks.com) and returns its event.
 * @param payload the body exactly as it arrived, before any JSON parser
 * @param secret `whsec_…` of the endpoint, or of the business for `notify_url` and `callback_url`
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300 }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const text =
    typeof payload === 'string' ? payload : new TextDecoder('utf-8', { ignoreBOM: true }).decode(payload)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) {
    throw new WebhookVerificationError('webhook-timestamp is too far from the time of this machine.')
  }
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  if (!(await isSigned(signed, signatures, secret))) {
    throw new WebhookVerificationError('No webhook-signature is of this body under this secret.')
  }
  return { ...(readJson(text, { data: RESPONSE_AMOUNTS }) as object), id } as WebhookEvent
}

/** During the day after a rotation of the secret there are two signatures. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secret: string,
): Promise<boolean> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0) {
    throw new WebhookVerificationError('The secret must be "whsec_" and base64.')
  }
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  for (const signature of signatures) {
    const mac = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined
    if (mac !== undefined && (await crypto.subtle.verify('HMAC', key, mac, signed))) return true
  }
  return false
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookVerificationError(`The header ${name} is missing.`)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
