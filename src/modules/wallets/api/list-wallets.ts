import type { Caller } from '#platform/caller'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import { readBalances } from '../storage/ledger.repository.ts'
import type { WalletsDependencies } from '../dependencies.ts'
import { errors } from './errors.ts'
import { renderWallet } from './render.ts'
import { findWallet, listWallets } from '../storage/wallet.repository.ts'

export async function listUserWallets(
  deps: WalletsDependencies,
  caller: Caller,
  userId: string | undefined,
  request: PageRequest,
): Promise<{ digital_wallets: object[]; page: Page }> {
  const wallets = await listWallets(deps.db, caller.businessId, userId, request)
  const ids = wallets.map((wallet) => wallet.id)
  const balances = await readBalances(deps.db, caller.businessId, ids)
  const { rows, page } = renderPage(
    request,
    wallets,
    ({ createdAt, id }) => ({ at: createdAt, id }),
    (wallet) => renderWallet(wallet, balances.get(wallet.id) ?? [], deps.configuration.chains),
  )
  return { digital_wallets: rows, page }
}

export async function getWallet(
  deps: WalletsDependencies,
  { businessId }: Caller,
  id: string,
): Promise<{ digital_wallet: object }> {
  const wallet = await findWallet(deps.db, businessId, id)
  if (wallet === null) throw errors.wallet_not_found()
  const balances = await readBalances(deps.db, businessId, [id])
  return { digital_wallet: renderWallet(wallet, balances.get(id) ?? [], deps.configuration.chains) }
}
