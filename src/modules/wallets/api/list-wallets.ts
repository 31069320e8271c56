import type { Caller } from '#platform/caller'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import { readBalances } from '../storage/ledger.repository.ts'
import type { WalletsDependencies } from '../dependencies.ts'
import { renderWallet } from './render.ts'
import { listWallets } from '../storage/wallet.repository.ts'

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
