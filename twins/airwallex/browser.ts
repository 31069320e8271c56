import { readFileSync } from 'node:fs'
import type { TwinReply, TwinRequest } from '../common/server.ts'
import { headerOf } from './credentials.ts'

const SCRIPT = '/components/sdk/v1/index.js'
const script = readFileSync(new URL('./components.js', import.meta.url))

export function isBrowserRequest({ method, path }: TwinRequest): boolean {
  return method === 'OPTIONS' || path === SCRIPT
}

export function browserReply({ path }: TwinRequest): TwinReply {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'authorization, content-type, x-api-version',
    'access-control-allow-methods': 'GET, POST',
  }
  if (path !== SCRIPT) return { status: 204, headers, body: '' }
  return { status: 200, headers: { ...headers, 'content-type': 'text/javascript' }, body: script }
}

/** The client secret of an intent, with which a browser reads and confirms that intent and nothing else. */
export function clientSecretOf({ method, path, headers }: TwinRequest): string | null {
  const isAllowed =
    (method === 'POST' && path.endsWith('/confirm')) || (method === 'GET' && /\/int_\w+$/.test(path))
  const [, secret] = /^Bearer (eyJ\w+\.\w{24}\.\w{24})$/.exec(headerOf(headers, 'authorization')) ?? []
  return isAllowed ? (secret ?? null) : null
}
