import { randomBytes } from 'node:crypto'
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { realClock, realNowMs } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import type { UsersDependencies } from '../dependencies.ts'
import { hashOfToken } from '../model/token.ts'
import { countAttempts, forgetFactorFailures } from '../attempts/attempts.ts'
import { toDate } from '../model/dates.ts'
import { ADDRESS_HEADER, REQUEST_HEADER, TRUSTED_DEVICE_COOKIE } from '../model/auth-names.ts'
import {
  deleteTrustedDevices,
  insertTrustedDevice,
  prolongTrustedDevice,
} from '../storage/trusted-device.repository.ts'

/** The time of reference/users#trusted-devices. */
const TRUST_DAYS = 30
const TRUST_SECONDS = TRUST_DAYS * 86_400
const TOKEN_BYTES = 32
const CODE_MS = 90_000 // Its own 30 seconds and the 30 before and after them.

const VERIFY_TOTP = '/two-factor/verify-totp'
const VERIFIES = new Set<string | undefined>([VERIFY_TOTP, '/two-factor/verify-backup-code'])
const ENDS_TRUST = new Set<string | undefined>([
  '/change-password',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
])

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/**
 * Adds what better-auth's second factor lacks: a code works once, guesses are counted before they are checked, and
 * trusted devices are listed and end with what they were trusted for (reference/users#trusted-devices).
 */
export function secondFactor(deps: UsersDependencies, issuer: string) {
  const plugin = twoFactor({ issuer, accountLockout: { enabled: false }, allowPasswordless: true })
  const { twoFactor: model } = plugin.schema
  // Failures are counted in `sign_in_failures`, so the columns for them do not exist.
  const { failedVerificationCount: _count, lockedUntil: _until, ...fields } = model.fields
  return [guard(deps), { ...plugin, schema: { ...plugin.schema, twoFactor: { ...model, fields } } }]
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
    return { context: { body: { trustDevice: false, trustsDevice: ctx.body?.trustDevice === true } } }
  })

  async function countCode(ctx: Context, userId: string): Promise<void> {
    try {
      await countAttempts(shared, [{ kind: 'factor', of: userId }], () =>
        record(ctx, userId, 'two_factor.lock', { type: 'users', id: userId }),
      )
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      await deleteTrustedDevices(shared, userId)
      const { retryAfterSeconds } = error.detail
      throw new APIError('TOO_MANY_REQUESTS', { code: 'FACTOR_LOCKED', retryAfterSeconds })
    }
  }

  const afterCode = createAuthMiddleware(async (ctx) => {
    const userId = userOfSuccess(ctx)
    if (userId === undefined) return
    await forgetFactorFailures(shared, userId)
    const isSignIn = !ctx.context.session
    if (isSignIn && ctx.body?.trustsDevice === true) await trustDevice(ctx, userId)
  })

  async function trustDevice(ctx: Context, userId: string): Promise<void> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const id = newId('utd')
    const times = trustedFromNow()
    await insertTrustedDevice(shared, userId, {
      id,
      hash: hashOfToken(token),
      ipAddress: addressOf(ctx),
      userAgent: ctx.headers?.get('user-agent') ?? null,
      createdAt: times.lastUsedAt,
      ...times,
    })
    await setDeviceCookie(ctx, token)
    await record(ctx, userId, 'trusted_devices.create', { type: 'trusted_devices', id })
  }

  const afterPassword = createAuthMiddleware(async (ctx) => {
    const session = ctx.context.newSession
    if (session?.user['twoFactorEnabled'] !== true) return
    const token = await readDeviceCookie(ctx)
    if (!token) return
    const device = { hash: hashOfToken(token), ipAddress: addressOf(ctx), ...trustedFromNow() }
    if (!(await prolongTrustedDevice(shared, session.user.id, device))) return
    await setDeviceCookie(ctx, token)
    // The next hook is better-auth's, which asks for no code if the user has no second factor.
    ctx.context.setNewSession({ ...session, user: { ...session.user, twoFactorEnabled: false } })
  })

  const afterChange = createAuthMiddleware(async (ctx) => {
    const userId = userOfSuccess(ctx)
    if (userId !== undefined) await deleteTrustedDevices(shared, userId)
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
      after: [
        { matcher: verifies, handler: afterCode },
        { matcher: ({ path }: { path?: string }) => path === '/sign-in/email', handler: afterPassword },
        { matcher: ({ path }: { path?: string }) => ENDS_TRUST.has(path), handler: afterChange },
      ],
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

function trustedFromNow() {
  const lastUsedAt = realClock.now()
  return { lastUsedAt, expiresAt: lastUsedAt.add({ seconds: TRUST_SECONDS }) }
}

function deviceCookie(ctx: Context) {
  return ctx.context.createAuthCookie(TRUSTED_DEVICE_COOKIE, { maxAge: TRUST_SECONDS })
}

function readDeviceCookie(ctx: Context) {
  return ctx.getSignedCookie(deviceCookie(ctx).name, ctx.context.secret)
}

async function setDeviceCookie(ctx: Context, token: string): Promise<void> {
  const { name, attributes } = deviceCookie(ctx)
  await ctx.setSignedCookie(name, token, ctx.context.secret, attributes)
}

function addressOf(ctx: Context): string {
  return ctx.headers?.get(ADDRESS_HEADER) ?? ''
}
