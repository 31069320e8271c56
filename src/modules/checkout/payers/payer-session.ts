import type { FastifyReply, FastifyRequest } from 'fastify'
import { realClock } from '#kernel/clock'
import { SignedTokens } from '#platform/security/tokens/signed-tokens'
import type { CheckoutDependencies } from '../dependencies.ts'
import type { PaymentView } from '../model/payment-view.ts'

/** The time of reference/pages#saved-cards. */
const SESSION_MINUTES = 30
const COOKIE = 'payer'

interface SessionPlace {
  readonly deps: Pick<CheckoutDependencies, 'keyring' | 'links'>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly token: string
  /** The path of one payment link: a browser sends the cookie to this link only. */
  readonly path: string
}

function sessions({ keyring }: Pick<CheckoutDependencies, 'keyring'>): SignedTokens {
  return new SignedTokens(keyring, 'payer sessions')
}

export function isProvedPayer(
  { deps, request }: Pick<SessionPlace, 'deps' | 'request'>,
  { businessId, order }: Pick<PaymentView, 'businessId' | 'order'>,
): boolean {
  const session = sessions(deps).read(cookieOf(request))
  return session !== null && session.businessId === businessId && session.id === order.customerUuid
}

export function openPayerSession(place: SessionPlace, { businessId, order }: PaymentView): void {
  if (order.customerUuid === null) return
  const expiresAt = realClock.now().add({ minutes: SESSION_MINUTES })
  const session = sessions(place.deps).make({ businessId, id: order.customerUuid, expiresAt })
  setCookie(place, session, SESSION_MINUTES * 60)
}

export function closePayerSession(place: SessionPlace): void {
  setCookie(place, '', 0)
}

function setCookie({ deps, reply, token, path }: SessionPlace, value: string, seconds: number): void {
  const isSecure = deps.links.addressOf('payment', token).startsWith('https:')
  const attributes = [`Path=${path}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax']
  reply.header(
    'set-cookie',
    [`${COOKIE}=${value}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; '),
  )
}

function cookieOf({ headers }: FastifyRequest): string {
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  return cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? ''
}
