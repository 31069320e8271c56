import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { realNowMs } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import type { UsersDependencies } from '../dependencies.ts'
import { countAttempts, forgetFactorFailures } from '../sign-in/attempts.ts'
import { toDate } from '../sign-in/dates.ts'
import { ADDRESS_HEADER, REQUEST_HEADER } from '../sign-in/paths.ts'

const CODE_MS = 90_000 // Its own 30 seconds and the 30 before and after them.

const VERIFY_TOTP = '/two-factor/verify-totp'
const VERIFIES = new Set<string | undefined>([VERIFY_TOTP, '/two-factor/verify-backup-code'])

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/**
 * better-auth's second factor with what it lacks: a code works once, and guesses are counted before they are checked
 * (reference/users#second-factor).
 */
export function secondFactor(deps: UsersDependencies, issuer: string) {
  return [guard(deps), twoFactor({ issuer, accountLockout: { enabled: false }, allowPasswordless: true })]
}

function guard(deps: UsersDependencies) {
  const { shared } = deps.db
  const beforeCode = createAuthMiddleware(async (ctx) => {
    for (const userId of await whoseCode(ctx)) {
      await countCode(ctx, userId)
      if (ctx.path === VERIFY_TOTP && !(await isFirstUse(ctx, userId))) {
        throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'The code was used before.' })
      }
    }
  })

  async function countCode(ctx: Context, userId: string): Promise<void> {
    try {
      await countAttempts(shared, [{ kind: 'factor', of: userId }], () =>
        record(ctx, userId, 'two_factor.lock', { type: 'users', id: userId }),
      )
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      const { retryAfterSeconds } = error.detail
      throw new APIError('TOO_MANY_REQUESTS', { code: 'FACTOR_LOCKED', retryAfterSeconds })
    }
  }

  const afterCode = createAuthMiddleware(async (ctx) => {
    const userId = userOfSuccess(ctx)
    if (userId !== undefined) await forgetFactorFailures(shared, userId)
  })

  async function record(
    ctx: Context,
    userId: string,
    action: string,
    object: { type: string; id: string },
  ): Promise<void> {
    await deps.recordAccess({
      businessId: null,
      actor: { type: 'user', id: userId },
      action,
      object,
      ipAddress: addressOf(ctx),
      userAgent: ctx.headers?.get('user-agent') ?? undefined,
      requestId: ctx.headers?.get(REQUEST_HEADER) ?? '',
      outcome: { outcome: 'completed' },
    })
  }

  return {
    id: 'quittance-second-factor',
    hooks: {
      before: [{ matcher: verifies, handler: beforeCode }],
      after: [{ matcher: verifies, handler: afterCode }],
    },
  }
}

function verifies({ path }: { readonly path?: string }): boolean {
  return VERIFIES.has(path)
}

/** better-auth asks for the session first. It may end meanwhile, so the user of a sign-in under way counts, too. */
async function whoseCode(ctx: Context): Promise<ReadonlySet<string>> {
  const session = await getSessionFromCtx(ctx)
  const { name } = ctx.context.createAuthCookie('two_factor')
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret)
  const signIn = challenge ? await ctx.context.internalAdapter.findVerificationValue(challenge) : null
  return new Set([session?.user.id, signIn?.value].filter((id) => id !== undefined))
}

async function isFirstUse(ctx: Context, userId: string): Promise<boolean> {
  return ctx.context.internalAdapter.reserveVerificationValue({
    identifier: `totp-${userId}-${String(ctx.body?.code)}`,
    value: userId,
    expiresAt: toDate(realNowMs() + CODE_MS),
  })
}

function userOfSuccess(ctx: Context): string | undefined {
  if (isAPIError(ctx.context.returned)) return undefined
  return (ctx.context.newSession ?? ctx.context.session)?.user.id
}

function addressOf(ctx: Context): string {
  return ctx.headers?.get(ADDRESS_HEADER) ?? ''
}
