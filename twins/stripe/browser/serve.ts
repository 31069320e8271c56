import { readFileSync } from 'node:fs'
import type { TwinReply, TwinRequest } from '../../common/server.ts'

const SCRIPT = readFileSync(new URL('./stripe.js', import.meta.url), 'utf8')
const SCRIPT_PATH = /^\/(v3|basil|clover|dahlia|endive)\/(stripe\.js)?$/

export function isBrowserPath(path: string): boolean {
  return SCRIPT_PATH.test(path)
}

/** Stripe.js, and the preflight requests of browsers. */
export function browserReply(request: TwinRequest): TwinReply {
  const allowed = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': 'authorization, content-type, stripe-version, idempotency-key',
    'access-control-max-age': '300',
  }
  if (request.method === 'OPTIONS') return { status: 204, headers: allowed, body: '' }
  return {
    status: 200,
    headers: { ...allowed, 'content-type': 'text/javascript; charset=utf-8' },
    body: SCRIPT,
  }
}
