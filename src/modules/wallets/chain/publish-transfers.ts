import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { nextState } from '#kernel/state-table'
import type { NewEvent } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import type { Chain } from '../model/chain.ts'
import type { WalletsContext } from '../context.ts'
import { NO_FEE, valueDeposit } from '../model/fee.ts'
import { depositPosting, type Posting, reorganisationPosting } from '../model/ledger.ts'
import {
  type ChainEvent,
  TRANSITIONS,
  type WalletEvent,
  type WalletTransactionState,
} from '../model/transaction.states.ts'
import type { WalletTransaction } from '../model/transaction.ts'
import { findFeeRules } from '../storage/fee-rule.repository.ts'
import { post } from '../storage/ledger.repository.ts'
import {
  insertTransactions,
  lockTransactions,
  type NewWalletTransaction,
  setTransactionStates,
} from '../storage/transaction.repository.ts'
import {
  findTenantsToPublish,
  lockUnpublished,
  recordPublishedStates,
  type UnpublishedTransfer,
} from '../storage/transfer-publication.repository.ts'
import { findUsersOfWallets } from '../storage/wallet.repository.ts'

/** What one transaction of a tenant publishes at most. */
const MAX_TRANSFERS_PER_BATCH = 500
const MAX_TENANTS_PER_ROUND = 100

type Context = Pick<WalletsContext, 'db' | 'events' | 'log' | 'present'>

/**
 * Publishes a chain's transfers to their tenants. One transaction per batch writes the tenant's transactions, ledger and
 * events, and records the published states, so that a crash neither repeats nor loses a transfer.
 */
export async function publishTransfers(ctx: Context, chain: Chain): Promise<void> {
  for (;;) {
    const tenants = await findTenantsToPublish(ctx.db, chain.name, chain.confirmations, MAX_TENANTS_PER_ROUND)
    let published = 0
    for (const businessId of tenants) published += await publishToTenant(ctx, chain, businessId)
    if (published === 0) return
  }
}

async function publishToTenant(ctx: Context, chain: Chain, businessId: string): Promise<number> {
  try {
    return await ctx.db.transact(businessId, (tx) => publishBatch(ctx, tx, chain), {
      usesSharedTables: true,
    })
  } catch (error) {
    ctx.log.error(
      { err: error, business_id: businessId, blockchain: chain.name },
      'publishing deposits to the tenant failed',
    )
    return 0
  }
}

interface StateChange {
  readonly before: WalletTransactionState | null
  readonly after: WalletTransaction
}

async function publishBatch(ctx: Context, tx: Tx, chain: Chain): Promise<number> {
  const prepared = ctx.events.prepare(tx)
  const transfers = await lockUnpublished(tx, chain.name, chain.confirmations, MAX_TRANSFERS_PER_BATCH)
  if (transfers.length === 0) return 0
  const created = await createTransactions(
    tx,
    transfers.filter((transfer) => transfer.publishedState === null),
  )
  const existing = await lockTransactions(
    tx,
    transfers.filter((transfer) => transfer.publishedState !== null).map((transfer) => transfer.id),
  )
  const changes: StateChange[] = []
  for (const transfer of transfers) {
    const transaction = created.get(transfer.id) ?? existing.get(transfer.id)
    if (transaction === undefined) throw new Error(`the published transfer ${transfer.id} has no transaction`)
    const state = nextState(TRANSITIONS, transfer.publishedState ?? 'new', chainEventOf(transfer))
    if (state !== undefined) {
      changes.push({ before: transfer.publishedState, after: { ...transaction, state } })
    }
  }
  const updated = changes.filter((change) => change.before !== null).map((change) => change.after)
  const inserted = changes.flatMap(({ after }) => {
    const transaction = created.get(after.id)
    return transaction === undefined ? [] : [{ ...transaction, state: after.state }]
  })
  const states = changes.map(({ after }) => ({ id: after.id, state: after.state }))
  tx.defer(setTransactionStates(tx, updated))
  tx.defer(insertTransactions(tx, inserted))
  tx.defer(recordPublishedStates(tx, states))
  await Promise.all([
    post(tx, changes.flatMap(postingsFor), tx.now),
    ctx.events.append(
      tx,
      changes.map((change) => eventFor(ctx, change, tx.now)),
      prepared,
    ),
  ])
  return changes.length
}

function chainEventOf(transfer: UnpublishedTransfer): ChainEvent {
  if (!transfer.canonical) return 'reorg'
  return transfer.isDeepEnough ? 'confirm' : 'include'
}

async function createTransactions(
  tx: Tx,
  transfers: readonly UnpublishedTransfer[],
): Promise<Map<string, NewWalletTransaction>> {
  if (transfers.length === 0) return new Map()
  const users = await findUsersOfWallets(tx, [...new Set(transfers.map((transfer) => transfer.walletId))])
  const rules = await findFeeRules(tx, [...new Set(users.values())])
  return new Map(
    transfers.map((transfer) => {
      const { canonical: _canonical, publishedState: _published, isDeepEnough: _deep, ...rest } = transfer
      const user = users.get(transfer.walletId)
      const userFee = user === undefined ? undefined : rules.byUser.get(user)
      const fee = userFee ?? rules.business ?? NO_FEE
      const valuation = valueDeposit(transfer.units, transfer.decimals, transfer.usdPrice, fee)
      return [transfer.id, { ...rest, ...valuation, fee, state: 'pending' as const }]
    }),
  )
}

function postingsFor({ before, after }: StateChange): Posting[] {
  if (after.state === 'confirmed') return [depositPosting(newId('post'), after)]
  if (before === 'confirmed' && after.state === 'reorged')
    return [reorganisationPosting(newId('post'), after)]
  return []
}

function eventFor({ present }: Context, { after }: StateChange, now: Instant): NewEvent {
  return {
    type: `wallet.transaction.${after.state}` satisfies WalletEvent,
    objectId: after.id,
    timestamp: now,
    data: present.transaction(after),
  }
}
