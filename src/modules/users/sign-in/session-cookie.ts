import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const NAME = 'session_token'

/** `__Host-` binds the cookie to this host. Browsers take such a cookie over HTTPS only. */
export function cookiePrefix(base: string): string {
  return base.startsWith('https:') ? '__Host-quittance' : 'quittance'
}

export function readSessionToken(
  headers: Pick<IncomingHttpHeaders, 'cookie'>,
  base: string,
  secret: string,
): string | undefined {
  return readSignedCookie(headers, `${cookiePrefix(base)}.${NAME}`, secret)
}

export function readSignedCookie(
  headers: Pick<IncomingHttpHeaders, 'cookie'>,
  name: string,
  secret: string,
): string | undefined {
  const value = cookieOf(headers, name)
  const dot = value?.lastIndexOf('.') ?? -1
  if (value === undefined || dot < 1) return undefined
  const token = value.slice(0, dot)
  const signature = Buffer.from(value.slice(dot + 1), 'base64')
  const expected = createHmac('sha256', secret).update(token).digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected) ? token : undefined
}

export function hasSessionCookie(headers: IncomingHttpHeaders, base: string): boolean {
  return cookieOf(headers, `${cookiePrefix(base)}.${NAME}`) !== undefined
}

function cookieOf(headers: Pick<IncomingHttpHeaders, 'cookie'>, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (pair.slice(0, equals).trim() === name) return decoded(pair.slice(equals + 1).trim())
  }
  return undefined
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function sessionCookie(token: string, base: string, secret: string, maxAgeSeconds: number): string {
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  const value = encodeURIComponent(`${token}.${signature}`)
  const secure = base.startsWith('https:') ? '; Secure' : ''
  return `${cookiePrefix(base)}.${NAME}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
}
