import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { once } from '#platform/idempotency/idempotency'
import { findBalances } from '../storage/ledger.repository.ts'
import type { WalletsDependencies } from '../dependencies.ts'
import { renderWallet, type Wallet } from './wallet.ts'
import {
  insertDepositAddress,
  insertWallet,
  lockLastWalletNumber,
  lockWalletOfUser,
  setLastWalletNumber,
  setWalletAddress,
} from '../storage/wallet.repository.ts'

/** POST digital_wallets (decisions, section 7): one wallet a user; the same again answers the same. */
export async function createWallet(
  deps: WalletsDependencies,
  caller: Caller,
  userId: string,
): Promise<{ digital_wallet: object }> {
  const { number: tenantNumber } = await deps.businesses.profile(caller.businessId)
  const addressOf = (walletNumber: number): string | null =>
    deps.configuration.deriver?.addressOf(tenantNumber, walletNumber) ?? null
  return once(deps.db, caller, async (tx) => {
    const found = await lockWalletOfUser(tx, userId)
    const wallet =
      found === null ? await makeWallet(tx, userId, addressOf) : await withAddress(tx, found, addressOf)
    const balances = found === null ? [] : await findBalances(tx, wallet.id)
    return { digital_wallet: renderWallet(wallet, balances, deps.configuration.chains) }
  })
}

async function makeWallet(
  tx: Tx,
  userId: string,
  addressOf: (walletNumber: number) => string | null,
): Promise<Wallet> {
  const number = (await lockLastWalletNumber(tx)) + 1
  // Whoever held the counter's lock before us may have made this user's wallet.
  const made = await lockWalletOfUser(tx, userId)
  if (made !== null) return withAddress(tx, made, addressOf)
  await setLastWalletNumber(tx, number)
  const wallet = { id: newId('wal'), userId, number, address: addressOf(number), createdAt: tx.now }
  await insertWallet(tx, wallet)
  if (wallet.address !== null) await insertDepositAddress(tx, wallet.address, wallet.id)
  return wallet
}

/** A wallet from before there was an extended public key gets its address when it is asked for again. */
async function withAddress(
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
