import { throwIfRefused } from '#kernel/errors'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { refuseLocked } from '../model/closed-months.ts'
import { findSettings, shareSettings } from '../storage/settings.repository.ts'

/**
 * The last closed day, which stays so until this transaction ends: use it for what counts on a day before today. Whoever locks
 * orders calls it first.
 */
export async function lockedUntil(tx: Tx): Promise<string | null> {
  const [, settings] = await Promise.all([shareSettings(tx), findSettings(tx)])
  return settings?.lockedUntil ?? null
}

/** Throws 409 (`period_locked`) if `date` (YYYY-MM-DD) is closed. */
export async function requireOpen(tx: Tx, date: string, param?: string): Promise<void> {
  throwIfRefused(errors, refuseLocked(date, await lockedUntil(tx), param))
}
