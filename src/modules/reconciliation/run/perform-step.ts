import { type Instant, isAfter } from '#kernel/clock'
import { nextInquiryAt } from '#kernel/inquiry-times'
import type { AcquirerPage, AcquirerReply, BalanceEntry, SettlementReports } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import type { ReconciliationDependencies } from '../dependencies.ts'
import { nextPendingPayout, savePayouts, setLines } from '../storage/reconciliation.repository.ts'
import { type Phase, PHASES, type Run } from '../storage/run.repository.ts'
import { findMissingDisputes, findMissingMovements } from './find-missing.ts'
import { recheckEntries } from './recheck-entries.ts'
import { storeEntries } from './store-entries.ts'

/** Payouts of this many days before the last run are fetched again, because their state changes until they arrive. */
const PAYOUT_DAYS = 30
/** Covers lines that were booked late. */
const OVERLAP_HOURS = 24
/** Covers clocks that differ. */
const SKEW_MINUTES = 1
/** Movements are read by the time at which they succeeded, and their transactions commit later than that. */
const MOVEMENT_OVERLAP_HOURS = 1
const RUN_HOURS = 24
/** Their lines are written in one transaction. */
const PAGES_PER_STEP = 5

type Write = (tx: Tx) => Promise<Run>

interface StepContext {
  readonly deps: ReconciliationDependencies
  readonly businessId: string
  readonly settlement: SettlementReports
  readonly now: Instant
}

export async function prepareStep(ctx: StepContext, run: Run): Promise<Write> {
  switch (run.phase) {
    case null:
      return async ({ now }) => startOf(run, ctx.now, now)
    case 'payouts':
      return payoutsStep(ctx, run)
    case 'lines':
      return linesStep(ctx, run)
    case 'entries':
      return entriesStep(ctx, run)
    case 'rechecks':
      return async (tx) => atCursor(run, await recheckEntries(ctx.deps, tx, run))
    case 'movements':
      return async (tx) => afterMovements(run, await findMissingMovements(ctx.deps, tx, run))
    case 'lost_disputes':
      return async (tx) => afterDisputes(run, await findMissingDisputes(ctx.deps, tx, run))
  }
}

function startOf(run: Run, now: Instant, businessNow: Instant): Run {
  const from = run.movementsUntil?.subtract({ hours: MOVEMENT_OVERLAP_HOURS })
  return {
    ...run,
    phase: 'payouts',
    cursor: null,
    startedAt: now,
    lastMovement: from === undefined ? null : { succeededAt: from, id: '' },
    movementsUntil: businessNow,
  }
}

async function payoutsStep({ deps, businessId, settlement, now }: StepContext, run: Run): Promise<Write> {
  const since = run.completedRun?.subtract({ hours: 24 * PAYOUT_DAYS })
  const createdAfter = since !== undefined && isAfter(since, run.connectedAt) ? since : run.connectedAt
  const reply = await settlement.payouts({
    createdAfter,
    cursor: run.cursor,
    paidIn: () => deps.db.transact(businessId, (tx) => deps.payments.currenciesPaidAt(tx, run.accountId)),
  })
  if (reply.kind !== 'ok') return async () => postponed(run, reply, now)
  return async (tx) => {
    await savePayouts(tx, run.accountId, reply.value.items)
    return atCursor(run, reply.value.nextCursor)
  }
}

async function linesStep({ deps, businessId, settlement, now }: StepContext, run: Run): Promise<Write> {
  const pending = await deps.db.transact(businessId, (tx) => nextPendingPayout(tx, run.accountId))
  const payoutId = pending?.payout?.id
  if (pending === undefined || payoutId === undefined) return async () => atCursor(run, null)
  const reply = await fetchPages(run.cursor, (cursor) => settlement.payoutEntries({ payoutId, cursor }))
  if (reply.kind === 'unavailable') return async () => postponed(run, reply, now)
  return async (tx) => {
    if (reply.kind !== 'ok') {
      await setLines(tx, pending.id, 'unavailable')
      return { ...run, cursor: null }
    }
    await storeEntries(deps, tx, run, reply.value.items, pending.id)
    if (reply.value.nextCursor === null) await setLines(tx, pending.id, 'complete')
    return { ...run, cursor: reply.value.nextCursor }
  }
}

async function entriesStep({ deps, settlement, now }: StepContext, run: Run): Promise<Write> {
  const window = windowOf(run, now)
  const reply = await fetchPages(run.cursor, (cursor) => settlement.entries({ ...window, cursor }))
  if (reply.kind !== 'ok') return async () => postponed(run, reply, now)
  return async (tx) => {
    await storeEntries(deps, tx, run, reply.value.items, undefined)
    return atCursor(run, reply.value.nextCursor)
  }
}

type LinesReply = AcquirerReply<AcquirerPage<BalanceEntry>>

async function fetchPages(
  start: string | null,
  fetchPage: (cursor: string | null) => Promise<LinesReply>,
): Promise<LinesReply> {
  const items: BalanceEntry[] = []
  let cursor = start
  for (let pages = 0; pages < PAGES_PER_STEP; pages++) {
    const reply = await fetchPage(cursor)
    if (reply.kind !== 'ok' && items.length > 0) break
    if (reply.kind !== 'ok') return reply
    items.push(...reply.value.items)
    cursor = reply.value.nextCursor
    if (cursor === null) break
  }
  return { kind: 'ok', value: { items, nextCursor: cursor } }
}

function windowOf(run: Run, now: Instant): { from: Instant; until: Instant } {
  const from =
    run.completedRun?.subtract({ hours: OVERLAP_HOURS }) ??
    run.connectedAt.subtract({ minutes: SKEW_MINUTES })
  return { from, until: (run.startedAt ?? now).add({ minutes: SKEW_MINUTES }) }
}

function atCursor(run: Run, cursor: string | null): Run {
  const advanced = { ...run, attempts: 0, problem: null, cursor }
  return cursor === null ? { ...advanced, phase: phaseAfter(run.phase) } : advanced
}

function phaseAfter(phase: Phase | null): Phase | null {
  return phase === null ? null : (PHASES[PHASES.indexOf(phase) + 1] ?? null)
}

function afterMovements(run: Run, lastMovement: Run['lastMovement']): Run {
  return lastMovement === null ? { ...atCursor(run, null), lastMovement: null } : { ...run, lastMovement }
}

function afterDisputes(run: Run, cursor: string | null): Run {
  if (cursor !== null || run.startedAt === null) return { ...run, cursor }
  return {
    ...run,
    phase: null,
    cursor: null,
    completedRun: run.startedAt,
    dueAt: run.startedAt.add({ hours: RUN_HOURS }),
  }
}

type Failure = Exclude<AcquirerReply<AcquirerPage<unknown>>, { kind: 'ok' }>

function postponed(run: Run, failure: Failure, now: Instant): Run {
  const problem = failure.kind === 'absent' ? 'The acquirer has no such report.' : failure.message
  return {
    ...run,
    problem,
    attempts: run.attempts + 1,
    dueAt: nextInquiryAt(run.attempts, now),
    ...(failure.kind !== 'unavailable' && { cursor: null }),
  }
}
