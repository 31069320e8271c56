import type { Static } from 'typebox'
import { isDecimalProblem, parseDecimal, unscaledAt } from '#kernel/decimal'
import type { Caller } from '#platform/caller'
import type { WalletsContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { Asset, Chain } from '../model/chain.ts'
import type { Deposit } from '../model/deposit.ts'
import { JsonRpc } from '../node/json-rpc.ts'
import { NodeError } from '../node/node-error.ts'
import { findWallet } from '../storage/wallet.repository.ts'

const TIMEOUT_MS = 10_000
/** The whole coins of a development node's account are far fewer. */
const MAX_DIGITS = 15

export interface SentDeposit extends Static<typeof Deposit> {
  readonly blockchain: string
  readonly currency: string
  readonly transactionHash: string
}

/**
 * Sends coins from an account of the development node to the wallet's address: a transfer like any other, which the watcher then
 * reads from the chain. Each call sends once more.
 */
export async function sendDeposit(
  { db, configuration: { chains } }: WalletsContext,
  { businessId }: Caller,
  { wallet_id, amount, blockchain }: Static<typeof Deposit>,
): Promise<SentDeposit> {
  const wallet = await findWallet(db, businessId, wallet_id)
  if (wallet === null) throw errors.wallet_not_found({ param: 'deposit.wallet_id' })
  const { chain, coin } = sandboxChain(chains, blockchain)
  if (wallet.address === null) throw errors.blockchain_not_found()
  const units = readUnits(amount, coin)
  const transactionHash = await transfer(chain, wallet.address, units)
  return { wallet_id, amount, blockchain: chain.name, currency: coin.symbol, transactionHash }
}

function sandboxChain(chains: readonly Chain[], name: string | undefined): { chain: Chain; coin: Asset } {
  if (name !== undefined && !chains.some((chain) => chain.name === name)) {
    throw errors.blockchain_not_found({ param: 'deposit.blockchain' })
  }
  const chain = chains.find((one) => one.isSandbox && (name === undefined || one.name === name))
  if (chain?.native === undefined) throw errors.sandbox_chain_required()
  return { chain, coin: chain.native }
}

function readUnits(text: string, { decimals }: Asset): bigint {
  const amount = parseDecimal(text, { beforePoint: MAX_DIGITS, afterPoint: decimals })
  if (isDecimalProblem(amount)) throw invalidAmount(amount.message)
  if (amount.unscaled <= 0n) throw invalidAmount('must be above 0')
  return unscaledAt(amount, decimals)
}

function invalidAmount(problem: string): Error {
  return errors.deposit_invalid({ param: 'deposit.amount', message: `deposit.amount ${problem}.` })
}

/** Returns the transaction's hash. */
async function transfer(chain: Chain, to: string, units: bigint): Promise<string> {
  const [url = ''] = chain.rpcUrls
  const rpc = new JsonRpc(url)
  const call = (method: string, params: readonly unknown[]) =>
    rpc.call({ method, params }, AbortSignal.timeout(TIMEOUT_MS))
  try {
    if (Number(await call('eth_chainId', [])) !== chain.chainId) throw nodeFailed('it is on another chain')
    const accounts = await call('eth_accounts', [])
    const [from] = Array.isArray(accounts) ? (accounts as unknown[]) : []
    if (from === undefined) throw nodeFailed('it has no account of its own, so it is no development node')
    const value = `0x${units.toString(16)}`
    return String(await call('eth_sendTransaction', [{ from, to, value }]))
  } catch (error) {
    if (error instanceof NodeError) throw nodeFailed(error.message)
    throw error
  }
}

function nodeFailed(reason: string): Error {
  return errors.sandbox_chain_failed({ message: `The node of the sandbox’s chain sent nothing: ${reason}.` })
}
