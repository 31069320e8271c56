import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { EventLog } from '#platform/events/events'
import type { PageRequest } from '#platform/http/validation/list'
import type { Job } from '#platform/jobs/jobs'
import { eventsOf } from '#platform/testing/events'
import { rendered } from '#platform/testing/requests'
import {
  createFixture as createPaymentsFixture,
  type Merchant,
  newOrder,
  pay,
} from '../../payments/testing/fixture.ts'
import { moveToAccount } from '../../payments/testing/real-account.ts'
import { renderDisputeData, renderDisputesPage } from '../api/render.ts'
import type { DisputedMoneyHandler, DisputeLostHandler, DisputesContext } from '../context.ts'
import type { DisputesDependencies } from '../dependencies.ts'
import { editEvidence } from '../evidence/edit-evidence.ts'
import { submitEvidence } from '../evidence/submit-evidence.ts'
import { contextOf, DISPUTES, disputeJobs } from '../module.ts'
import { disputeById, disputesOfPage } from '../read-disputes.ts'
import { type BookedDispute, startDisputeServer } from './dispute-server.ts'

const ACCOUNT = 'aca_1'
let created = 0

export interface ShownDispute {
  id: string
  order_number: string | null
  transaction: { uuid: string } | null
  amount: number
  currency: string
  reason: string
  state: string
  respond_by: string | null
  acquirer_account_id: string
  acquirer_reference: string
  evidence: Record<string, string | { name: string; content_type: string; size: number }>
  submitted_at: string | null
  created_at: string
  updated_at: string
}

export function asDispute(data: object): ShownDispute {
  return (JSON.parse(JSON.stringify(data)) as { dispute: ShownDispute }).dispute
}

export function disputesOf(deps: DisputesDependencies) {
  const ctx = contextOf(deps)
  const bind =
    <Args extends unknown[], Result>(useCase: (ctx: DisputesContext, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(ctx, ...args)
  return {
    ...DISPUTES,
    onLost: (handler: DisputeLostHandler) => void ctx.lostHandlers.push(handler),
    onMoneyMoved: (handler: DisputedMoneyHandler) => void ctx.moneyHandlers.push(handler),
    jobs: disputeJobs(ctx),
    byId: rendered(bind(disputeById), renderDisputeData),
    editEvidence: rendered(bind(editEvidence), renderDisputeData),
    submit: rendered(bind(submitEvidence), renderDisputeData),
    page: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderDisputesPage(request, await disputesOfPage(ctx, caller, filter, request)),
  }
}

export async function createFixture(limits: Pick<DisputesDependencies, 'leaseMs'> = {}) {
  // Payments only prepare disputes here, and none is to be lost on a slow machine.
  const payments = await createPaymentsFixture({ silenceMs: 10_000 })
  const acquirer = await startDisputeServer()
  const { db, admin } = payments
  const accounts = [{ id: ACCOUNT, state: 'active' }]
  const disputes = disputesOf({
    db,
    events: new EventLog(),
    acquirers: {
      accounts: async () => accounts,
      disputesOf: async () => acquirer.disputes,
    },
    payments: payments.payments,
    businesses: { profile: async () => ({ timeZone: 'Asia/Hong_Kong' }) },
    ...limits,
  })
  disputes.onMoneyMoved(payments.payments.recordDisputed)

  const work = async (businessId: string, after: Temporal.DurationLike = { seconds: 0 }): Promise<void> => {
    for (let handled = 1; handled > 0;) {
      const until = realClock.now().add(after)
      handled = 0
      for (const job of disputes.jobs) handled += await run(job, businessId, until)
    }
  }

  const notice = (businessId: string, reference: string) =>
    db.transact(businessId, (tx) => disputes.onNotice(tx, ACCOUNT, reference))

  const dispute = async (merchant: Merchant, changes: Partial<BookedDispute> = {}) => {
    const { number } = await newOrder(payments, merchant)
    const { transaction } = await pay(payments, merchant, number)
    await moveToAccount(admin, merchant.businessId, ACCOUNT, transaction.uuid)
    const booked: BookedDispute = {
      reference: `dp_${++created}`,
      payment: transaction.payment_data['new_gateway_txn_id'] ?? '',
      amount: '100.00',
      currency: 'HKD',
      reason: 'fraudulent',
      state: 'needs_response',
      respondBy: realClock
        .now()
        .add({ hours: 24 * 7 })
        .toString(),
      openedAt: realClock.now().toString(),
      submittedUnder: null,
      evidence: { texts: {}, files: {} },
      ...changes,
    }
    acquirer.books.set(booked.reference, booked)
    return { booked, orderNumber: number, uuid: transaction.uuid }
  }

  const openDispute = async (merchant: Merchant, changes: Partial<BookedDispute> = {}) => {
    const made = await dispute(merchant, changes)
    await notice(merchant.businessId, made.booked.reference)
    await work(merchant.businessId)
    const shown = await byReference(merchant.caller, made.booked.reference)
    if (shown === undefined) throw new Error('the dispute was not recorded')
    return { ...made, id: shown.id }
  }

  const list = async (caller: Caller, filter?: string): Promise<ShownDispute[]> => {
    const page = { list: 'disputes', offset: 0, limit: 100, after: undefined }
    const data = await disputes.page(caller, filter, page)
    return (JSON.parse(JSON.stringify(data)) as { disputes: ShownDispute[] }).disputes
  }

  const byReference = async (caller: Caller, reference: string) =>
    (await list(caller)).find((shown) => shown.acquirer_reference === reference)

  const events = async (businessId: string, id: string) =>
    (await eventsOf(db, businessId, id)).map(({ type, data }) => ({
      type,
      dispute: asDispute(JSON.parse(data) as object),
    }))

  return {
    ...payments,
    acquirer,
    accounts,
    disputes,
    account: ACCOUNT,
    work,
    notice,
    dispute,
    openDispute,
    list,
    byReference,
    get: async (caller: Caller, id: string) => asDispute(await disputes.byId(caller, id)),
    stage: async (caller: Caller, id: string, text = 'It was delivered.') =>
      asDispute(await disputes.editEvidence(caller, id, { uncategorized_text: text })),
    eventsOfDispute: events,
  }
}

async function run(job: Job, businessId: string, until: Temporal.Instant): Promise<number> {
  return job.run({ businessId, until, timeOf: () => until })
}
