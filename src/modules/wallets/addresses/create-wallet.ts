import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { once } from '#platform/idempotency/idempotency'
import { findBalances } from '../storage/ledger.repository.ts'
import type { WalletsContext } from '../context.ts'
import { chainsOf } from '../model/chain.ts'
import type { Wallet, WalletView } from '../model/wallet.ts'
import {
  insertDepositAddress,
  insertWallet,
  lockLastWalletNumber,
  lockWalletOfUser,
  setLastWalletNumber,
  setWalletAddress,
} from '../storage/wallet.repository.ts'

export async function createWallet(ctx: WalletsContext, caller: Caller, userId: string): Promise<WalletView> {
  const { deriver } = ctx.configuration
  const chains = chainsOf(ctx.configuration.chains, caller.environment)
  const { number: tenantNumber } = await ctx.businesses.profile(caller.businessId)
  const addressOf = (walletNumber: number): string | null =>
    deriver?.addressOf(tenantNumber, walletNumber) ?? null
  const create = async (tx: Tx): Promise<WalletView> => {
    const existing = await lockWalletOfUser(tx, userId)
    const wallet =
      existing === null
        ? await insertNewWallet(tx, userId, addressOf)
        : await addMissingAddress(tx, existing, addressOf)
    const balances = existing === null ? [] : await findBalances(tx, wallet.id)
    return { wallet, balances, chains }
  }
  return once(ctx.db, caller, create, { usesSharedTables: true })
}

async function insertNewWallet(
  tx: Tx,
  userId: string,
  addressOf: (walletNumber: number) => string | null,
): Promise<Wallet> {
  const number = (await lockLastWalletNumber(tx)) + 1
  // The transaction that held the counter's lock before may have created this user's wallet.
  const existing = await lockWalletOfUser(tx, userId)
  if (existing !== null) return addMissingAddress(tx, existing, addressOf)
  await setLastWalletNumber(tx, number)
  const wallet = { id: newId('wal'), userId, number, address: addressOf(number), createdAt: tx.now }
  await insertWallet(tx, wallet)
  if (wallet.address !== null) await insertDepositAddress(tx, wallet.address, wallet.id)
  return wallet
}

async function addMissingAddress(
  tx: Tx,
  wallet: Wallet,
  addressOf: (walletNumber: number) => string | null,
): Promise<Wallet> {
  if (wallet.address !== null) return wallet
  const address = addressOf(wallet.number)
  if (address === null) return wallet
  await setWalletAddress(tx, wallet.id, address)
  await insertDepositAddress(tx, address, wallet.id)
  return { ...wallet, address }
}
