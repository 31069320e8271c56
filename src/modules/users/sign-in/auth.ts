import { passkey } from '@better-auth/passkey'
import { APIError, createAuthMiddleware, freshSessionMiddleware, getOAuthState } from 'better-auth/api'
import { betterAuth } from 'better-auth/minimal'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { newId } from '#kernel/ids'
import type { OidcSettings, UsersDependencies } from '../dependencies.ts'
import { resetMail } from '../mail/messages.ts'
import { secondFactor } from '../second-factor/second-factor.ts'
import { cookiePrefix } from './session-cookie.ts'
import { hasOpenInvitation } from '../storage/invitation.repository.ts'
import { signInAdapter } from '../storage/sign-in-adapter.ts'
import { deleteSubjects, hasSubject } from '../storage/subject.repository.ts'
import { deleteTrustedDevices } from '../storage/trusted-device.repository.ts'
import { deleteExpiredSessions, findEmail, isDisabled } from '../storage/user.repository.ts'
import { forgetFailures, unlockAccount } from '../attempts/attempts.ts'
import { ADDRESS_HEADER, AUTH_PATH, OIDC_PROVIDER } from '../model/auth-names.ts'
import { SESSION_SECONDS } from '../model/session.ts'
import { hashPassword, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, verifyPassword } from './password.ts'

const APP_NAME = 'Quittance'
/** A session that is used is prolonged at most once a day. */
const UPDATE_SECONDS = 86_400
/** The time of reference/users#passwords. */
const RESET_SECONDS = 3_600

const ID_PREFIXES: Readonly<Record<string, string>> = {
  user: 'usr',
  session: 'ses',
  account: 'uac',
  verification: 'uvf',
  twoFactor: 'utf',
  passkey: 'pky',
}

export type Auth = ReturnType<typeof createAuth>

export function createAuth(deps: UsersDependencies, secret: string, base: string) {
  const { db, log, mailer, oidc } = deps
  const origin = new URL(base).origin

  /**
   * A user has one subject, which a link from inside a session replaces. Other issuers may give the same subject
   * to other people.
   */
  async function makeRoom(userId: string, settings: OidcSettings): Promise<void> {
    const isLink = (await getOAuthState())?.link !== undefined
    const prefix = subjectsOf(settings)
    if (!isLink && (await hasSubject(db.shared, userId, prefix))) refuse('USER_HAS_OTHER_SUBJECT')
    await deleteSubjects(db.shared, userId, isLink ? null : prefix)
  }

  return betterAuth({
    appName: APP_NAME,
    baseURL: `${base}${AUTH_PATH}`,
    basePath: new URL(`${base}${AUTH_PATH}`).pathname,
    secret,
    trustedOrigins: [origin],
    database: signInAdapter(db.shared),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }) => {
        await deleteTrustedDevices(db.shared, user.id)
        await unlockAccount(db.shared, user)
      },
      // Not awaited: the duration would reveal whether the address has a user.
      sendResetPassword: async ({ user, token }) => {
        if (mailer === undefined) return
        const url = `${deps.publicUrl()}/console/reset-password?token=${token}`
        const locale = 'locale' in user && typeof user.locale === 'string' ? user.locale : 'en'
        mailer.send({ to: user.email, ...resetMail(locale, url) }).catch((error: unknown) => {
          log.error({ err: error }, 'a password reset could not be mailed')
        })
      },
    },
    user: {
      additionalFields: {
        operator: { type: 'boolean', required: false, input: false, defaultValue: false },
        locale: { type: 'string', required: false, input: false, defaultValue: 'en' },
        disabledAt: { type: 'date', required: false, input: false, returned: false },
      },
      validateUserInfo: ({ user }) =>
        user.emailVerified === true ? undefined : { error: 'email_not_verified' },
    },
    session: { expiresIn: SESSION_SECONDS, updateAge: UPDATE_SECONDS },
    account: {
      accountLinking: { enabled: true, requireLocalEmailVerified: true, allowDifferentEmails: true },
    },
    // Older programs stored trusted devices as plain text. Hashed look-ups would not find them, so nothing would end
    // them.
    verification: { storeIdentifier: { default: 'hashed', overrides: { 'trust-device-': 'plain' } } },
    plugins: [
      ...secondFactor(deps, APP_NAME),
      passkey({
        rpID: new URL(base).hostname,
        rpName: APP_NAME,
        origin,
        schema: { passkey: { fields: { credentialID: 'credentialId' } } },
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        // The plugin also accepts passkeys that verify no more than a touch. A passkey replaces both factors, so it
        // must verify its user.
        registration: {
          afterVerification: ({ verification }) => {
            requireUserVerification(verification.registrationInfo?.userVerified)
          },
        },
        authentication: {
          afterVerification: ({ verification }) => {
            requireUserVerification(verification.authenticationInfo.userVerified)
          },
        },
      }),
      ...(oidc === undefined
        ? []
        : [
            genericOAuth({
              config: [
                {
                  providerId: OIDC_PROVIDER,
                  name: oidc.name,
                  discoveryUrl: `${oidc.issuer}/.well-known/openid-configuration`,
                  clientId: oidc.clientId,
                  clientSecret: oidc.clientSecret,
                  scopes: ['openid', 'email', 'profile'],
                  requireIdTokenVerification: true,
                  accountSubject: ({ tokens, profile }) => {
                    // Only the nonce of an id_token ties the sign-in to this browser.
                    if (!tokens.idToken) throw new Error('the provider sent no id_token')
                    return `${subjectsOf(oidc)}${String(profile.sub)}`
                  },
                },
              ],
            }),
          ]),
    ],
    hooks: {
      before: createAuthMiddleware(async (context) => {
        if (context.path === '/link-social') await freshSessionMiddleware(context)
      }),
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => {
            if (!(await hasOpenInvitation(db.shared, user.email.toLowerCase()))) refuse('INVITATION_REQUIRED')
            return { data: { ...user, email: user.email.toLowerCase(), image: null } }
          },
        },
      },
      session: {
        create: {
          before: async ({ userId }) => {
            if (await isDisabled(db.shared, userId)) refuse('ACCOUNT_DISABLED')
          },
          after: async ({ userId, ipAddress }) => {
            const email = await findEmail(db.shared, userId)
            if (email !== undefined && ipAddress) await forgetFailures(db.shared, email, ipAddress)
            await deleteExpiredSessions(db.shared, userId)
          },
        },
      },
      account: {
        create: {
          before: async (account) => {
            if (oidc !== undefined && account.providerId === OIDC_PROVIDER)
              await makeRoom(account.userId, oidc)
            return withoutTokens(account)
          },
        },
        update: { before: withoutTokens },
      },
    },
    advanced: {
      disableOriginCheck: false,
      disableCSRFCheck: false,
      cookiePrefix: cookiePrefix(base),
      useSecureCookies: false,
      defaultCookieAttributes: {
        secure: base.startsWith('https:'),
        httpOnly: true,
        sameSite: 'lax',
        path: '/',
      },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER], ipv6Subnet: 128 },
      database: { generateId: ({ model }) => newId(ID_PREFIXES[model] ?? 'uxx') },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    onAPIError: {
      errorURL: `${base}/console/sign-in`,
      onError: (error) => {
        if (!(error instanceof APIError)) log.error({ err: error }, 'a request of sign-in failed')
      },
    },
  })
}

function subjectsOf({ issuer }: OidcSettings): string {
  return `${issuer} `
}

function refuse(code: string): never {
  throw new APIError('FORBIDDEN', { code, message: code })
}

function requireUserVerification(isVerified: boolean | undefined): void {
  if (isVerified !== true) {
    throw new APIError('UNAUTHORIZED', {
      code: 'USER_NOT_VERIFIED',
      message: 'The passkey must ask for a fingerprint, a face or a PIN.',
    })
  }
}

async function withoutTokens<Account extends object>(account: Account) {
  return {
    data: { ...account, accessToken: null, refreshToken: null, idToken: null },
  }
}
