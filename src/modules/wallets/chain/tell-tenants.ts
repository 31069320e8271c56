import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { nextState } from '#kernel/state-table'
import type { Tx } from '#platform/postgres/database'
import type { NewEvent } from '#platform/events/events'
import type { Chain } from '../configuration/configuration.ts'
import type { WalletEvent } from '../events.ts'
import { NO_FEE, valueDeposit } from '../fees/fee.ts'
import { findFeeRules } from '../storage/fee-rule.repository.ts'
import { depositPosting, type Posting, reorganisationPosting } from '../ledger/ledger.ts'
import { post } from '../storage/ledger.repository.ts'
import type { WalletsDependencies } from '../dependencies.ts'
import {
  insertTransactions,
  lockTransactions,
  type NewWalletTransaction,
  setTransactionStates,
} from '../storage/transaction.repository.ts'
import { TRANSITIONS, type WalletTransactionState } from '../ledger/transaction.states.ts'
import { renderWalletTransaction, type WalletTransaction } from '../ledger/transaction.ts'
import { findUsersOfWallets } from '../storage/wallet.repository.ts'
import { lockUntold, markTold, tenantsToTell, type UntoldTransfer } from '../storage/telling.repository.ts'

const TRANSFERS_AT_ONCE = 500
const TENANTS_AT_ONCE = 100

type Dependencies = Pick<WalletsDependencies, 'db' | 'events' | 'log'>

/**
 * Tells every tenant what the chain says of its deposits: transactions, ledger and events of a tenant in one
 * transaction, which also notes that it has been told. So a crash at any point tells nothing twice and forgets nothing.
 */
export async function tellTenants(deps: Dependencies, chain: Chain): Promise<void> {
  for (;;) {
    const tenants = await tenantsToTell(deps.db, chain.name, chain.confirmations, TENANTS_AT_ONCE)
    let told = 0
    for (const businessId of tenants) told += await tellTenant(deps, chain, businessId)
    // Nobody left, or only tenants whose trouble has been logged: the next poll tries again.
    if (told === 0) return
  }
}

async function tellTenant(deps: Dependencies, chain: Chain, businessId: string): Promise<number> {
  try {
    return await deps.db.transact(businessId, (tx) => tell(deps, tx, chain))
  } catch (error) {
    deps.log.error({ err: error, business_id: businessId, blockchain: chain.name }, 'deposits were not told')
    return 0
  }
}

/** What a transfer becomes. `before` is null for a deposit that is new to the tenant. */
interface Change {
  readonly before: WalletTransactionState | null
  readonly after: WalletTransaction
}

async function tell(deps: Dependencies, tx: Tx, chain: Chain): Promise<number> {
  const prepared = deps.events.prepare(tx)
  const transfers = await lockUntold(tx, chain.name, chain.confirmations, TRANSFERS_AT_ONCE)
  if (transfers.length === 0) return 0
  const fresh = await valued(
    tx,
    transfers.filter((transfer) => transfer.told === null),
  )
  const known = await lockTransactions(
    tx,
    transfers.filter((transfer) => transfer.told !== null).map((transfer) => transfer.id),
  )
  const changes: Change[] = []
  for (const transfer of transfers) {
    const transaction = fresh.get(transfer.id) ?? known.get(transfer.id)
    if (transaction === undefined) throw new Error(`the tenant does not know its transaction ${transfer.id}`)
    const state = nextState(TRANSITIONS, transfer.told ?? 'new', viewOf(transfer))
    if (state !== undefined) changes.push({ before: transfer.told, after: { ...transaction, state } })
  }
  const existing = changes.filter((change) => change.before !== null).map((change) => change.after)
  const told = changes.map(({ after }) => ({ id: after.id, state: after.state }))
  tx.defer(setTransactionStates(tx, existing))
  tx.defer(insertTransactions(tx, newOnes(changes, fresh)))
  tx.defer(markTold(tx, told))
  await Promise.all([
    post(tx, changes.flatMap(postingOf), tx.now),
    deps.events.append(
      tx,
      changes.map((change) => eventOf(change, tx.now)),
      prepared,
    ),
  ])
  return changes.length
}

function viewOf(transfer: UntoldTransfer & { readonly deepEnough: boolean }): 'see' | 'bury' | 'reorganise' {
  if (!transfer.canonical) return 'reorganise'
  return transfer.deepEnough ? 'bury' : 'see'
}

/** Values new deposits by the rules of this moment: the user's, else the business's (decisions, section 7). */
async function valued(
  tx: Tx,
  transfers: readonly UntoldTransfer[],
): Promise<Map<string, NewWalletTransaction>> {
  if (transfers.length === 0) return new Map()
  const users = await findUsersOfWallets(tx, [...new Set(transfers.map((transfer) => transfer.walletId))])
  const rules = await findFeeRules(tx, [...new Set(users.values())])
  return new Map(
    transfers.map((transfer) => {
      const { canonical: _canonical, told: _told, ...rest } = transfer
      const user = users.get(transfer.walletId)
      const own = user === undefined ? undefined : rules.ofUsers.get(user)
      const fee = own ?? rules.business ?? NO_FEE
      const valuation = valueDeposit(transfer.units, transfer.decimals, transfer.usdPrice, fee)
      return [transfer.id, { ...rest, ...valuation, fee, state: 'pending' as const }]
    }),
  )
}

function newOnes(
  changes: readonly Change[],
  fresh: ReadonlyMap<string, NewWalletTransaction>,
): NewWalletTransaction[] {
  return changes.flatMap(({ after }) => {
    const made = fresh.get(after.id)
    return made === undefined ? [] : [{ ...made, state: after.state }]
  })
}

/** Only confirmed deposits are in the ledger. */
function postingOf({ before, after }: Change): Posting[] {
  if (after.state === 'confirmed') return [depositPosting(newId('post'), after)]
  if (before === 'confirmed' && after.state === 'reorged')
    return [reorganisationPosting(newId('post'), after)]
  return []
}

function eventOf({ after }: Change, now: Instant): NewEvent {
  return {
    type: `wallet.transaction.${after.state}` satisfies WalletEvent,
    objectId: after.id,
    timestamp: now,
    data: { wallet_transaction: renderWalletTransaction(after) },
  }
}
