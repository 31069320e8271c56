import { newId } from '#kernel/ids'
import { checksumAddress } from '../model/address.ts'
import type { Asset, Chain } from '../model/chain.ts'
import type { AddressOwner, BlockRange, FindOwners, IncomingTransfer } from '../model/block-range.ts'
import { BloomProbe } from './bloom.ts'
import { type Block, type TokenTransfer, TRANSFER_TOPIC } from './rpc-responses.ts'
import { NodeError } from './node-error.ts'
import type { Node } from './node.ts'

export class BlockRangeReader {
  readonly #native: Asset | undefined
  readonly #tokens: ReadonlyMap<string, Asset>
  readonly #probes: ReadonlyMap<string, BloomProbe>
  readonly #chain: Chain
  readonly #findOwners: FindOwners

  constructor(chain: Chain, findOwners: FindOwners) {
    this.#chain = chain
    this.#findOwners = findOwners
    this.#native = chain.native
    this.#tokens = new Map(chain.tokens.map((token) => [token.contractAddress.toLowerCase(), token]))
    this.#probes = new Map(
      [...this.#tokens.keys()].map((contract) => [contract, new BloomProbe([contract, TRANSFER_TOPIC])]),
    )
  }

  /**
   * Reads blocks `from` to `to` in several requests, and detects a reorg between them: the blocks must be linked, every
   * log must belong to one of them, and the last block must still be canonical when the logs have arrived.
   * @throws `NodeError`
   */
  async read(node: Node, from: number, to: number): Promise<BlockRange> {
    const blocks = await node.blocks(from, to, this.#native !== undefined)
    const first = blocks[0]
    if (first === undefined) throw new RangeError('a block range needs at least one block')
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
      // Lists break ties by id, so ids are assigned in the order of the chain.
      transfers: transfers.map((transfer) => ({ ...transfer, id: newId('wtx') })),
      itemCount: logs.length + blocks.reduce((sum, block) => sum + block.transfers.length, blocks.length),
    }
  }

  async #transferLogs(node: Node, blocks: readonly Block[]): Promise<TokenTransfer[]> {
    const contracts = [...this.#tokens.keys()]
    const [first, last] = [blocks[0], blocks.at(-1)]
    if (contracts.length === 0 || first === undefined || last === undefined) return []
    if (first === last) return node.transferLogs(contracts, { blockHash: first.hash })
    const logs = await node.transferLogs(contracts, { from: first.number, to: last.number })
    const lastNow = await node.header(last.number)
    if (lastNow?.hash !== last.hash) throw chainChanged()
    return [...logs, ...(await this.#omittedLogs(node, blocks, logs))]
  }

  /**
   * Requests logs by block hash where the range returned none of a token although the block's bloom may match. A node
   * that lacks the block must refuse such a request.
   */
  async #omittedLogs(
    node: Node,
    blocks: readonly Block[],
    logs: readonly TokenTransfer[],
  ): Promise<TokenTransfer[]> {
    const returned = new Set(logs.map((log) => `${log.blockHash} ${log.contract}`))
    const omitted: TokenTransfer[] = []
    for (const { hash, logsBloom } of blocks) {
      if (logsBloom === undefined) continue
      const missing = [...this.#probes]
        .filter(([contract, probe]) => !returned.has(`${hash} ${contract}`) && probe.mayMatch(logsBloom))
        .map(([contract]) => contract)
      if (missing.length > 0) omitted.push(...(await node.transferLogs(missing, { blockHash: hash })))
    }
    return omitted
  }

  async #tokenTransfers(
    blocks: readonly Block[],
    logs: readonly TokenTransfer[],
  ): Promise<IncomingTransfer[]> {
    const byHash = new Map(blocks.map((block) => [block.hash, block]))
    const owners = await this.#findOwners(logs.map((log) => log.destination))
    const incoming: IncomingTransfer[] = []
    for (const log of logs) {
      const block = byHash.get(log.blockHash)
      if (block === undefined) throw new NodeError('wrong', 'the node returned logs of other blocks')
      const token = this.#tokens.get(log.contract)
      const owner = owners.get(log.destination)
      if (token === undefined || owner === undefined) continue
      incoming.push(this.#transfer(block, token, owner, log, log.logIndex))
    }
    return incoming
  }

  async #nativeTransfers(node: Node, blocks: readonly Block[]): Promise<IncomingTransfer[]> {
    const native = this.#native
    if (native === undefined) return []
    const owners = await this.#findOwners(
      blocks.flatMap((block) => block.transfers.map((transfer) => transfer.destination)),
    )
    const incoming = blocks.flatMap((block) =>
      block.transfers.flatMap((transfer) => {
        const owner = owners.get(transfer.destination)
        return owner === undefined ? [] : [{ block, transfer, owner }]
      }),
    )
    // A reverted transaction is part of its block but moves nothing; only the receipt shows that.
    const receipts = await node.receipts(incoming.map(({ transfer }) => transfer.transactionHash))
    return incoming.flatMap(({ block, transfer, owner }, index) => {
      const receipt = receipts[index]
      if (receipt?.blockHash !== block.hash) {
        throw new NodeError('wrong', 'the node has no receipt for a transaction of the block')
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
  ): IncomingTransfer {
    return {
      id: '',
      businessId: owner.businessId,
      walletId: owner.walletId,
      blockchain: this.#chain.name,
      blockHash: block.hash,
      blockNumber: block.number,
      blockTime: Temporal.Instant.fromEpochMilliseconds(block.timeS * 1_000),
      transactionHash: transfer.transactionHash,
      logIndex,
      contractAddress: asset.contractAddress,
      sourceAddress: checksumAddress(transfer.source),
      destinationAddress: checksumAddress(transfer.destination),
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
      throw chainChanged()
    }
  }
}

function chainChanged(): NodeError {
  return new NodeError('wrong', 'the chain changed during the scan')
}
