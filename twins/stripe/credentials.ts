import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { StripeError } from './errors.ts'

export interface Credentials {
  /** `acct_…` */
  readonly account: string
  readonly livemode: boolean
  /** A publishable key may only make payment methods and handle intents whose client secret it has. */
  readonly isPublishable: boolean
}

const KEY = /^(sk|rk|pk)_(test|live)_(\w+)$/

/** Bearer or basic authentication. The account is the part after `sk_test_`, up to a `__`. */
export function authenticate(headers: IncomingHttpHeaders): Credentials {
  const key = keyOf(headers.authorization ?? '')
  if (key === undefined || key === '') {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  const [, kind, mode, name] = KEY.exec(key) ?? []
  if (kind === undefined || name === undefined || name.includes('refused')) {
    throw unauthorized(`Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`)
  }
  return { account: accountOf(name), livemode: mode === 'live', isPublishable: kind === 'pk' }
}

function keyOf(authorization: string): string | undefined {
  const [scheme, value = ''] = authorization.split(' ')
  if (/^bearer$/i.test(scheme ?? '')) return value
  if (/^basic$/i.test(scheme ?? '')) return Buffer.from(value, 'base64').toString().split(':')[0]
  return undefined
}

function accountOf(name: string): string {
  const shop = name.split('__')[0] ?? name
  return `acct_1${createHash('sha256').update(shop).digest('hex').slice(0, 15)}`
}

function unauthorized(message: string): StripeError {
  return new StripeError(401, { type: 'invalid_request_error', message }, { isKept: false })
}
