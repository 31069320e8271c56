import sql from 'sql-template-tag'
import { RequestError } from '#kernel/errors'
import { realClock, toRfc3339 } from '#kernel/clock'
import { customerErasure } from '#modules/customers'
import type { Job } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import type { PersonalDataDependencies } from '../dependencies.ts'
import { RETENTION } from '../job-names.ts'
import { lockDueRetention, saveRetention } from '../storage/retention.repository.ts'
import { requestErasure } from '../erasing/request-erasure.ts'

const BATCH = 100

export function retentionJob(deps: PersonalDataDependencies): Job {
  return {
    name: RETENTION,
    clock: 'real',
    nextRunAt: (tx) => earliestTime(tx, sql`retention_settings`, sql`due_at`),
    run: ({ businessId, until }) =>
      deps.db.transact(businessId, async (tx) => {
        const retention = await lockDueRetention(tx, until)
        if (retention?.customerDays == null) return 0
        const before = tx.now.subtract({ hours: 24 * retention.customerDays })
        const isActive = deps.hasOrderSince(businessId, toRfc3339(before))
        const found = await customerErasure.findInactive(tx, before, retention.cursor, BATCH, isActive)
        for (const { uuid, is_active: active } of found) if (!active) await eraseUnlessBlocked(deps, tx, uuid)
        const last = found.length < BATCH ? undefined : found.at(-1)
        const now = realClock.now()
        await saveRetention(
          tx,
          last === undefined ? null : { at: last.created_at, uuid: last.uuid },
          last === undefined ? now.add({ hours: 24 }) : now,
        )
        return 1
      }),
  }
}

async function eraseUnlessBlocked(deps: PersonalDataDependencies, tx: Tx, uuid: string): Promise<void> {
  try {
    await requestErasure(deps, tx, uuid, 'retention')
  } catch (error) {
    if (!(error instanceof RequestError && error.status === 409)) throw error
  }
}
