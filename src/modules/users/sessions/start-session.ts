import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_SECONDS } from '../model/session.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { sessionCookie } from '../sign-in/session-cookie.ts'

export async function startSession(
  signIn: SignIn,
  base: string,
  userId: string,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  const auth = await signIn.at(base)
  const { internalAdapter } = await auth.$context
  const { token } = await internalAdapter.createSession(userId, false, {
    ipAddress: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
  })
  reply.header('set-cookie', sessionCookie(token, base, await signIn.secret(), SESSION_SECONDS))
}
