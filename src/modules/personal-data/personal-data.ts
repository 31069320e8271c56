import { customerErasure } from '#modules/customers'
import type { Caller } from '#platform/caller'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { StreamedFile } from '#platform/http/routes/streamed-file'
import { once } from '#platform/idempotency/idempotency'
import type { Job } from '#platform/jobs/jobs'
import { errors } from './api/errors.ts'
import { renderBlockers, renderErasure, renderHold } from './api/render.ts'
import type { PersonalDataDependencies } from './dependencies.ts'
import { findBlockers, findWhatIsKept } from './erasing/check-erasure.ts'
import { erasureJob } from './erasing/erasure-job.ts'
import { requestErasure } from './erasing/request-erasure.ts'
import { retentionJob } from './erasing/retention-job.ts'
import { exportCustomer } from './exporting/export-customer.ts'
import { findErasure, listErasures } from './storage/erasure.repository.ts'
import { deleteHold, findHold, putHold } from './storage/hold.repository.ts'
import { findRetention, putRetention } from './storage/retention.repository.ts'

export class PersonalDataModule {
  readonly #deps: PersonalDataDependencies
  readonly jobs: readonly Job[]

  constructor(deps: PersonalDataDependencies) {
    this.#deps = deps
    this.jobs = [erasureJob(deps), retentionJob(deps)]
  }

  export(caller: Caller, uuid: string): Promise<StreamedFile> {
    return exportCustomer(this.#deps, caller, uuid)
  }

  check({ businessId }: Caller, uuid: string): Promise<object> {
    return this.#deps.db.transact(businessId, async (tx) => {
      const customer = await customerErasure.lock(tx, uuid)
      const blockers = await findBlockers(this.#deps, tx, customer)
      const hold = await findHold(tx, uuid)
      const found = await findWhatIsKept(this.#deps, tx, customer)
      return {
        erasure_check: {
          can_be_erased: blockers.length === 0 && customer.erasedAt === null,
          blockers: renderBlockers(blockers),
          legal_hold: hold === undefined ? null : renderHold(hold),
          found: found.map(({ table, rows, isMore }) => ({ table, rows, is_more: isMore })),
        },
      }
    })
  }

  erase(caller: Caller, uuid: string): Promise<object> {
    return once(this.#deps.db, caller, async (tx) => ({
      erasure: renderErasure(await requestErasure(this.#deps, tx, uuid, 'request')),
    }))
  }

  erasures({ businessId }: Caller, request: PageRequest): Promise<object> {
    return this.#deps.db.transact(
      businessId,
      async (tx) => {
        const found = await listErasures(tx, request)
        const { rows, page } = renderPage(
          request,
          found,
          ({ createdAt, id }) => ({ at: createdAt, id }),
          renderErasure,
        )
        return { erasures: rows, page }
      },
      { isSnapshot: true },
    )
  }

  erasure({ businessId }: Caller, id: string): Promise<object> {
    return this.#deps.db.transact(businessId, async (tx) => {
      const erasure = await findErasure(tx, id)
      if (erasure === undefined) throw errors.erasure_not_found()
      return { erasure: renderErasure(erasure) }
    })
  }

  hold(caller: Caller, uuid: string, reason: string): Promise<object> {
    return once(this.#deps.db, caller, async (tx) => {
      const { erasedAt } = await customerErasure.lock(tx, uuid)
      if (erasedAt !== null) throw errors.hold_too_late()
      return { legal_hold: renderHold(await putHold(tx, uuid, reason, caller.actor.id)) }
    })
  }

  lift(caller: Caller, uuid: string): Promise<object> {
    return once(this.#deps.db, caller, async (tx) => {
      await customerErasure.lock(tx, uuid)
      const hold = await deleteHold(tx, uuid)
      if (hold === undefined) throw errors.legal_hold_not_found()
      return { legal_hold: renderHold(hold) }
    })
  }

  retention({ businessId }: Caller): Promise<object> {
    return this.#deps.db.transact(businessId, async (tx) => {
      const { customerDays } = await findRetention(tx)
      return { retention: { customer_days: customerDays } }
    })
  }

  setRetention(caller: Caller, customerDays: number | null): Promise<object> {
    return once(this.#deps.db, caller, async (tx) => {
      await putRetention(tx, customerDays)
      return { retention: { customer_days: customerDays } }
    })
  }
}
