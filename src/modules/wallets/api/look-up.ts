import { renderSVG } from 'uqr'
import type { Caller } from '#platform/caller'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import { errors } from './errors.ts'
import { readBalances } from '../storage/ledger.repository.ts'
import type { WalletsDependencies } from '../dependencies.ts'
import { renderWallet } from '../addresses/wallet.ts'
import { findWallet, listWallets } from '../storage/wallet.repository.ts'

/** GET digital_wallets: with balances, newest first; of one user when `userId` is given. */
export async function walletsPage(
  deps: WalletsDependencies,
  caller: Caller,
  userId: string | undefined,
  request: PageRequest,
): Promise<{ digital_wallets: object[]; page: Page }> {
  const found = await listWallets(deps.db, caller.businessId, userId, request)
  const ids = found.map((wallet) => wallet.id)
  const balances = await readBalances(deps.db, caller.businessId, ids)
  const { rows, page } = renderPage(
    request,
    found,
    ({ createdAt, id }) => ({ at: createdAt, id }),
    (wallet) => renderWallet(wallet, balances.get(wallet.id) ?? [], deps.configuration.chains),
  )
  return { digital_wallets: rows, page }
}

/**
 * The QR code of a deposit address, as SVG. It holds the plain address: every wallet program reads that, while EIP-681
 * addresses with a chain are read by few. @throws 404
 */
export async function addressQr(
  deps: WalletsDependencies,
  caller: Caller,
  walletId: string,
  blockchain: string,
): Promise<{ address_qr: object }> {
  const wallet = await findWallet(deps.db, caller.businessId, walletId)
  if (wallet === null) throw errors.wallet_not_found()
  const { address } = wallet
  const chain = deps.configuration.chains.find(({ name }) => name === blockchain)
  if (address === null || chain === undefined) throw errors.blockchain_not_found()
  return {
    address_qr: {
      blockchain,
      chain_id: chain.chainId,
      address,
      svg: renderSVG(address, { ecc: 'M', border: 4 }),
    },
  }
}
