import { renderSVG } from 'uqr'
import type { Caller } from '#platform/caller'
import type { WalletsDependencies } from '../dependencies.ts'
import { findWallet } from '../storage/wallet.repository.ts'
import { errors } from './errors.ts'

/** The code holds the plain address, which every wallet app reads; few read an EIP-681 URI that names the chain. */
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
