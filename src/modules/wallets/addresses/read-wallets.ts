import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import type { WalletsContext } from '../context.ts'
import { errors } from '../errors.ts'
import { readBalances } from '../storage/ledger.repository.ts'
import { findWallet, listWallets } from '../storage/wallet.repository.ts'
import { chainsOf } from '../model/chain.ts'
import type { WalletView } from '../model/wallet.ts'

export async function walletsOfPage(
  { db, configuration }: WalletsContext,
  { businessId, environment }: Caller,
  userId: string | undefined,
  request: PageRequest,
): Promise<WalletView[]> {
  const chains = chainsOf(configuration.chains, environment)
  const wallets = await listWallets(db, businessId, userId, request)
  const ids = wallets.map((wallet) => wallet.id)
  const balances = await readBalances(db, businessId, ids)
  return wallets.map((wallet) => ({ wallet, balances: balances.get(wallet.id) ?? [], chains }))
}

export async function walletById(
  { db, configuration }: WalletsContext,
  { businessId, environment }: Caller,
  id: string,
): Promise<WalletView> {
  const wallet = await findWallet(db, businessId, id)
  if (wallet === null) throw errors.wallet_not_found()
  const balances = await readBalances(db, businessId, [id])
  return { wallet, balances: balances.get(id) ?? [], chains: chainsOf(configuration.chains, environment) }
}

export interface ChainAddress {
  readonly blockchain: string
  readonly chainId: number
  readonly address: string
}

export async function addressOnChain(
  { db, configuration }: WalletsContext,
  { businessId, environment }: Caller,
  walletId: string,
  blockchain: string,
): Promise<ChainAddress> {
  const wallet = await findWallet(db, businessId, walletId)
  if (wallet === null) throw errors.wallet_not_found()
  const { address } = wallet
  const chain = chainsOf(configuration.chains, environment).find(({ name }) => name === blockchain)
  if (address === null || chain === undefined) throw errors.blockchain_not_found()
  return { blockchain, chainId: chain.chainId, address }
}
