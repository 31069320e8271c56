import type { FastifyReply, FastifyRequest } from 'fastify'
import { realClock } from '#kernel/clock'
import { SESSION_MINUTES } from '../model/session.ts'
import type { PortalContext } from '../context.ts'
import { makeToken } from '../sessions/session-tokens.ts'

const COOKIE = 'portal'

export function openPages(
  ctx: PortalContext,
  reply: FastifyReply,
  session: { readonly businessId: string; readonly id: string },
): void {
  const expiresAt = realClock.now().add({ minutes: SESSION_MINUTES })
  setCookie(ctx, reply, makeToken(ctx, 'page', { ...session, expiresAt }), SESSION_MINUTES * 60)
}

export function closePages(ctx: PortalContext, reply: FastifyReply): void {
  setCookie(ctx, reply, '', 0)
}

function setCookie(ctx: PortalContext, reply: FastifyReply, value: string, seconds: number): void {
  const isSecure = ctx.publicUrl().startsWith('https:')
  const attributes = [`Path=${ctx.links.basePath}/portal`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax']
  const all = [`${COOKIE}=${value}`, ...attributes, ...(isSecure ? ['Secure'] : [])]
  reply.header('set-cookie', all.join('; '))
}

export function pageToken({ headers }: FastifyRequest): string {
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  return cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? ''
}
