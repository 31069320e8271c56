import { getAddress } from 'viem/utils'
import type { Hex } from 'viem'
import { newId } from '#kernel/ids'
import type { Asset, Chain } from '../configuration/configuration.ts'
import type { Transfer } from '../ledger/transaction.ts'
import { BloomProbe } from './bloom.ts'
import { type Block, type TokenTransfer, TRANSFER_TOPIC } from './node-answers.ts'
import { NodeError } from './node-error.ts'
import type { Node } from './node.ts'

/** A stretch of blocks that follow each other, and the transfers to our addresses in them. */
export interface Window {
  readonly blocks: readonly { readonly number: number; readonly hash: string; readonly time: number }[]
  readonly parentHash: string
  readonly transfers: readonly FoundTransfer[]
  /** How much the node answered, for the size of the next window. */
  readonly answered: number
}

export interface FoundTransfer extends Transfer {
  readonly businessId: string
}

export interface AddressOwner {
  readonly businessId: string
  readonly walletId: string
}

/** Which of these addresses (lower case) are ours. */
export type AddressLookUp = (addresses: readonly string[]) => Promise<ReadonlyMap<string, AddressOwner>>

/** Reads windows of one chain: knows its tokens, not how far it has been read. */
export class WindowReader {
  readonly #native: Asset | undefined
  readonly #tokens: ReadonlyMap<string, Asset>
  readonly #probes: ReadonlyMap<string, BloomProbe>
  readonly #chain: Chain
  readonly #owners: AddressLookUp

  constructor(chain: Chain, owners: AddressLookUp) {
    this.#chain = chain
    this.#owners = owners
    this.#native = chain.native
    this.#tokens = new Map(chain.tokens.map((token) => [token.contractAddress.toLowerCase(), token]))
    this.#probes = new Map(
      [...this.#tokens.keys()].map((contract) => [
        contract,
        new BloomProbe([contract as Hex, TRANSFER_TOPIC]),
      ]),
    )
  }

  /**
   * Reads blocks `from` to `to`. What cannot be told in one request is asked so that a chain that changes meanwhile is
   * noticed: the blocks must follow each other, every log must be of one of them, and the last block must still stand
   * when the logs have arrived. Throws `NodeError`.
   */
  async read(node: Node, from: number, to: number): Promise<Window> {
    const blocks = await node.blocks(from, to, this.#native !== undefined)
    const first = blocks[0]
    if (first === undefined) throw new RangeError('a window has at least one block')
    checkLinks(blocks)
    const logs = await this.#transferLogs(node, blocks)
    const transfers = [
      ...(await this.#nativeTransfers(node, blocks)),
      ...(await this.#tokenTransfers(blocks, logs)),
    ]
    transfers.sort((a, b) => a.blockNumber - b.blockNumber)
    return {
      blocks,
      parentHash: first.parentHash,
      // Made after sorting, so that ids, which break ties in lists, follow the chain.
      transfers: transfers.map((transfer) => ({ ...transfer, id: newId('wtx') })),
      answered: logs.length + blocks.reduce((sum, block) => sum + block.transfers.length, blocks.length),
    }
  }

  async #transferLogs(node: Node, blocks: readonly Block[]): Promise<TokenTransfer[]> {
    const contracts = [...this.#tokens.keys()]
    const [first, last] = [blocks[0], blocks.at(-1)]
    if (contracts.length === 0 || first === undefined || last === undefined) return []
    if (first === last) return node.transferLogs(contracts, { blockHash: first.hash })
    const logs = await node.transferLogs(contracts, { from: first.number, to: last.number })
    const still = await node.header(last.number)
    if (still?.hash !== last.hash) throw new NodeError('wrong', 'the chain changed while it was read')
    return [...logs, ...(await this.#leftOut(node, blocks, logs))]
  }

  /**
   * Logs of blocks of which the node answered none of a token, although their bloom says that there may be: asked again
   * by the block's hash, which a node that does not have the block must refuse.
   */
  async #leftOut(
    node: Node,
    blocks: readonly Block[],
    logs: readonly TokenTransfer[],
  ): Promise<TokenTransfer[]> {
    const answered = new Set(logs.map((log) => `${log.blockHash} ${log.contract}`))
    const found: TokenTransfer[] = []
    for (const { hash, logsBloom } of blocks) {
      if (logsBloom === undefined) continue
      const missing = [...this.#probes]
        .filter(([contract, probe]) => !answered.has(`${hash} ${contract}`) && probe.mayBeIn(logsBloom))
        .map(([contract]) => contract)
      if (missing.length > 0) found.push(...(await node.transferLogs(missing, { blockHash: hash })))
    }
    return found
  }

  async #tokenTransfers(blocks: readonly Block[], logs: readonly TokenTransfer[]): Promise<FoundTransfer[]> {
    const byHash = new Map(blocks.map((block) => [block.hash, block]))
    const owners = await this.#owners(logs.map((log) => log.destination))
    const found: FoundTransfer[] = []
    for (const log of logs) {
      const block = byHash.get(log.blockHash)
      if (block === undefined) throw new NodeError('wrong', 'the node answers logs of other blocks')
      const token = this.#tokens.get(log.contract)
      const owner = owners.get(log.destination)
      if (token === undefined || owner === undefined) continue
      found.push(this.#transfer(block, token, owner, log, log.logIndex))
    }
    return found
  }

  async #nativeTransfers(node: Node, blocks: readonly Block[]): Promise<FoundTransfer[]> {
    const native = this.#native
    if (native === undefined) return []
    const owners = await this.#owners(
      blocks.flatMap((block) => block.transfers.map((transfer) => transfer.destination)),
    )
    const ours = blocks.flatMap((block) =>
      block.transfers.flatMap((transfer) => {
        const owner = owners.get(transfer.destination)
        return owner === undefined ? [] : [{ block, transfer, owner }]
      }),
    )
    // A transaction that was reverted stands in its block and moves nothing; only its receipt says so.
    const receipts = await node.receipts(ours.map(({ transfer }) => transfer.transactionHash))
    return ours.flatMap(({ block, transfer, owner }, index) => {
      const receipt = receipts[index]
      if (receipt?.blockHash !== block.hash) {
        throw new NodeError('wrong', 'the node has no receipt of a transaction in its block')
      }
      return receipt.succeeded ? [this.#transfer(block, native, owner, transfer, -1)] : []
    })
  }

  #transfer(
    block: Block,
    asset: Asset,
    owner: AddressOwner,
    transfer: { transactionHash: string; source: string; destination: string; units: bigint },
    logIndex: number,
  ): FoundTransfer {
    return {
      id: '',
      businessId: owner.businessId,
      walletId: owner.walletId,
      blockchain: this.#chain.name,
      blockHash: block.hash,
      blockNumber: block.number,
      blockTime: Temporal.Instant.fromEpochMilliseconds(block.time * 1_000),
      transactionHash: transfer.transactionHash,
      logIndex,
      contractAddress: asset.contractAddress,
      sourceAddress: getAddress(transfer.source),
      destinationAddress: getAddress(transfer.destination),
      units: transfer.units,
      currency: asset.symbol,
      decimals: asset.decimals,
      usdPrice: asset.usdPrice,
    }
  }
}

function checkLinks(blocks: readonly Block[]): void {
  for (let i = 1; i < blocks.length; i++) {
    if (blocks[i]?.parentHash !== blocks[i - 1]?.hash) {
      throw new NodeError('wrong', 'the chain changed while it was read')
    }
  }
}
