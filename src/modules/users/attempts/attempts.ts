import { createHash } from 'node:crypto'
import { realClock } from '#kernel/clock'
import { addressKey } from '#platform/http/rate-limit'
import type { SharedStatements } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { countAttempt, forgetAttempt, forgetAttempts, returnAttempt } from '../storage/attempt.repository.ts'
import type { User } from '../storage/user.repository.ts'

const WINDOW = { minutes: 15 }
const LIMITS = { account: 10, address: 100, reset: 5, own_password: 10, factor: 5 } as const

/**
 * - `account`: A password for the e-mail address `of`, from the network address `from`. A stranger locks nobody else out.
 * - `own_password`: The password of the user `of`, whose session may be stolen.
 * - `factor`: A code of the user `of`.
 */
export type Attempt =
  | { readonly kind: 'account'; readonly of: string; readonly from: string }
  | { readonly kind: 'address' | 'reset' | 'own_password' | 'factor'; readonly of: string }

/**
 * Counts attempts before they are made, so that parallel guesses count too. Throws `too_many_attempts`
 * (reference/users#lockout).
 * @param onLock called once for each lock, when it begins
 */
export async function countAttempts(
  shared: SharedStatements,
  attempts: readonly Attempt[],
  onLock: (attempt: Attempt) => Promise<void>,
): Promise<void> {
  const now = realClock.now()
  const until = now.add(WINDOW)
  for (const attempt of attempts) {
    const lockedUntil = await countAttempt(shared, {
      name: nameOf(attempt),
      limit: LIMITS[attempt.kind],
      now,
      until,
    })
    if (lockedUntil === null) continue
    if (lockedUntil.epochMilliseconds === until.epochMilliseconds) await onLock(attempt)
    const leftMs = lockedUntil.epochMilliseconds - now.epochMilliseconds
    throw errors.too_many_attempts({ retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) })
  }
}

export async function returnAttempts(shared: SharedStatements, attempts: readonly Attempt[]): Promise<void> {
  await Promise.all(
    attempts.map(async (attempt) => {
      if (attempt.kind === 'address') await returnAttempt(shared, nameOf(attempt))
      if (attempt.kind === 'own_password') await forgetAttempt(shared, nameOf(attempt))
    }),
  )
}

export async function forgetFailures(shared: SharedStatements, email: string, from: string): Promise<void> {
  await forgetAttempt(shared, nameOf({ kind: 'account', of: email, from }))
}

export function forgetFactorFailures(shared: SharedStatements, userId: string): Promise<void> {
  return forgetAttempt(shared, nameOf({ kind: 'factor', of: userId }))
}

export async function unlockAccount(
  shared: SharedStatements,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<void> {
  await forgetAttempts(shared, accountName(email))
  await forgetAttempt(shared, nameOf({ kind: 'own_password', of: id }))
}

function nameOf(attempt: Attempt): string {
  const { kind, of } = attempt
  if (kind === 'account') return accountName(of) + hashed(addressKey(attempt.from))
  return `${kind}:${hashed(kind === 'address' ? addressKey(of) : of.trim().toLowerCase())}`
}

function accountName(email: string): string {
  return `account:${hashed(email.trim().toLowerCase())}:`
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
