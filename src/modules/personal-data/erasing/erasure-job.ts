import sql from 'sql-template-tag'
import { type Instant, realClock } from '#kernel/clock'
import type { PersonalSource } from '#platform/personal-data/personal-data'
import type { Job } from '#platform/jobs/jobs'
import { MAX_TRANSACTION_MS, type Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import type { PersonalDataDependencies } from '../dependencies.ts'
import { ERASURES } from '../job-names.ts'
import { lockDueErasure, saveErasure } from '../storage/erasure.repository.ts'
import type { Erasure } from '../model/erasure.ts'
import { subjectOf } from './subject.ts'

/** By then every transaction and every logged request that began before the customer was marked has ended. */
const UNTIL_SECOND_PASS_MS = MAX_TRANSACTION_MS + 15_000
/** Then the erasures of other businesses have their turn. */
const MAX_RUN_MS = 1_000

type Step = Pick<PersonalSource, 'table' | 'usesSharedTables'> & Required<Pick<PersonalSource, 'erase'>>

export function erasureJob(deps: PersonalDataDependencies): Job {
  const steps = deps.data.flatMap(({ sources }) =>
    sources.flatMap(({ erase, ...source }): Step[] => (erase === undefined ? [] : [{ ...source, erase }])),
  )
  return {
    name: ERASURES,
    clock: 'real',
    nextRunAt: (tx) => earliestTime(tx, sql`erasures`, sql`due_at`),
    run: async ({ businessId, until, ...run }) => {
      const endsAt = performance.now() + MAX_RUN_MS
      let handled = 0
      let usesSharedTables = false
      while (performance.now() < endsAt && run.isStopping?.() !== true) {
        const work = (tx: Tx) => workOnce(deps, tx, steps, { until, usesSharedTables })
        const done = await deps.db.transact(businessId, work, { usesSharedTables })
        if (done === 'nothing') break
        if (done === 'needs other tables') usesSharedTables = !usesSharedTables
        else handled++
      }
      return handled
    },
  }
}

async function workOnce(
  deps: PersonalDataDependencies,
  tx: Tx,
  steps: readonly Step[],
  { until, usesSharedTables }: { readonly until: Instant; readonly usesSharedTables: boolean },
): Promise<'a batch' | 'nothing' | 'needs other tables'> {
  const erasure = await lockDueErasure(tx, until)
  if (erasure === undefined) return 'nothing'
  const step = steps[erasure.step]
  if (step === undefined) {
    await endPass(deps, tx, erasure)
    return 'a batch'
  }
  if ((step.usesSharedTables ?? false) !== usesSharedTables) return 'needs other tables'
  const { customerUuid: uuid, referenceNumber, texts } = erasure
  const subject = subjectOf(deps.data, tx.businessId, { uuid, referenceNumber, texts })
  const { count, next } = await step.erase(tx, subject, erasure.cursor)
  const before = erasure.counts[step.table] ?? 0
  await saveErasure(tx, {
    ...erasure,
    step: next === null ? erasure.step + 1 : erasure.step,
    cursor: next ?? '',
    counts:
      erasure.pass > 1 || count === 0 ? erasure.counts : { ...erasure.counts, [step.table]: before + count },
  })
  return 'a batch'
}

async function endPass({ customers }: PersonalDataDependencies, tx: Tx, erasure: Erasure): Promise<void> {
  if (erasure.pass === 1) {
    const dueAt = realClock.now().add({ milliseconds: UNTIL_SECOND_PASS_MS })
    return saveErasure(tx, { ...erasure, pass: 2, step: 0, dueAt })
  }
  await customers.announceErased(tx, erasure.customerUuid)
  return saveErasure(tx, { ...erasure, state: 'completed', dueAt: null, completedAt: tx.now })
}
