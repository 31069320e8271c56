import { createHash } from 'node:crypto'
import { realClock } from '#kernel/clock'
import { addressKey } from '#platform/http/rate-limit'
import type { SharedStatements } from '#platform/postgres/database'
import { errors } from '../api/errors.ts'
import { countAttempt, forgetAttempts, returnAttempt } from '../storage/attempt.repository.ts'
import { findEmail } from '../storage/user.repository.ts'

const WINDOW = { minutes: 15 }
const LIMITS = { account: 10, address: 100, reset: 5 } as const

export interface Attempt {
  readonly kind: keyof typeof LIMITS
  readonly of: string
}

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
    attempts
      .filter(({ kind }) => kind === 'address')
      .map((attempt) => returnAttempt(shared, nameOf(attempt))),
  )
}

export async function clearAccountFailures(shared: SharedStatements, userId: string): Promise<void> {
  const email = await findEmail(shared, userId)
  if (email !== undefined) await forgetAttempts(shared, nameOf({ kind: 'account', of: email }))
}

function nameOf({ kind, of }: Attempt): string {
  const subject = kind === 'address' ? addressKey(of) : of.trim().toLowerCase()
  return `${kind}:${createHash('sha256').update(subject).digest('base64url')}`
}
