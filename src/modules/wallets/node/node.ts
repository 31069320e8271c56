import {
  type Block,
  type BlockHeader,
  readBlock,
  readHeader,
  readReceipt,
  readTransferLogs,
  readWholeNumber,
  type TokenTransfer,
  TRANSFER_TOPIC,
} from './rpc-responses.ts'
import { JsonRpc, type RpcRequest } from './json-rpc.ts'
import { NodeError } from './node-error.ts'

/** Covers a request until the end of its response body. */
const TIMEOUT_MS = 10_000
/** Providers refuse long batches; one that does gets shorter ones. */
const MAX_BATCH_SIZE = 50
const CONCURRENT_BATCHES = 2

interface RpcCall<Result> extends RpcRequest {
  readonly read: (response: unknown) => Result
}

/** A JSON-RPC node. Every method throws `NodeError`. */
export class Node {
  readonly #rpc: JsonRpc
  readonly #timeoutMs: number
  #batchSize = MAX_BATCH_SIZE

  constructor(url: string, { timeoutMs = TIMEOUT_MS } = {}) {
    this.#timeoutMs = timeoutMs
    this.#rpc = new JsonRpc(url)
  }

  async chainId(): Promise<number> {
    return readWholeNumber(await this.#call('eth_chainId', []))
  }

  async header(block: number | 'latest' | 'finalized'): Promise<BlockHeader | null> {
    const tag = typeof block === 'number' ? toHex(block) : block
    const header = readHeader(await this.#call('eth_getBlockByNumber', [tag, false]))
    if (header !== null && typeof block === 'number' && header.number !== block) throw unexpectedBlock()
    return header
  }

  async blocks(from: number, to: number, full: boolean): Promise<Block[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    return this.#callMany(
      numbers.map((number) => ({
        method: 'eth_getBlockByNumber',
        params: [toHex(number), full],
        read: (response) =>
          checkNumber(number, full ? readBlock(response) : withoutTransfers(readHeader(response))),
      })),
    )
  }

  async transferLogs(
    contracts: readonly string[],
    where: { readonly from: number; readonly to: number } | { readonly blockHash: string },
  ): Promise<TokenTransfer[]> {
    const range =
      'blockHash' in where
        ? { blockHash: where.blockHash }
        : { fromBlock: toHex(where.from), toBlock: toHex(where.to) }
    return readTransferLogs(
      await this.#call('eth_getLogs', [{ address: contracts, topics: [TRANSFER_TOPIC], ...range }]),
    )
  }

  async receipts(transactionHashes: readonly string[]): Promise<ReturnType<typeof readReceipt>[]> {
    return this.#callMany(
      transactionHashes.map((hash) => ({
        method: 'eth_getTransactionReceipt',
        params: [hash],
        read: readReceipt,
      })),
    )
  }

  /**
   * Sends calls in batches and reads each response on arrival, because raw blocks are large. Refused batches are repeated
   * in smaller ones; after a success without refusals the batch size grows again.
   */
  async #callMany<Result>(calls: readonly RpcCall<Result>[]): Promise<Result[]> {
    const results: Result[] = []
    const sizeBefore = this.#batchSize
    while (results.length < calls.length) {
      const size = this.#batchSize
      const round = calls.slice(results.length, results.length + size * CONCURRENT_BATCHES)
      const batches = [round.slice(0, size), round.slice(size)].filter((batch) => batch.length > 0)
      try {
        for (const batch of await Promise.all(batches.map((part) => this.#callBatch(part)))) {
          results.push(...batch)
        }
      } catch (error) {
        const refusedSize = Math.min(size, round.length)
        if (!(error instanceof NodeError && error.kind === 'refused') || refusedSize === 1) throw error
        this.#batchSize = Math.ceil(refusedSize / 4)
      }
    }
    if (this.#batchSize === sizeBefore && calls.length >= sizeBefore) {
      this.#batchSize = Math.min(MAX_BATCH_SIZE, sizeBefore * 2)
    }
    return results
  }

  async #callBatch<Result>(calls: readonly RpcCall<Result>[]): Promise<Result[]> {
    const [only] = calls
    if (only !== undefined && calls.length === 1)
      return [only.read(await this.#call(only.method, only.params))]
    const requests = calls.map(({ method, params }) => ({ method, params }))
    const results = await this.#rpc.callBatch(requests, AbortSignal.timeout(this.#timeoutMs))
    return calls.map(({ read }, index) => read(results[index]))
  }

  #call(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#rpc.call({ method, params }, AbortSignal.timeout(this.#timeoutMs))
  }
}

function checkNumber(number: number, block: Block | null): Block {
  if (block === null) throw new NodeError('failed', 'the node does not have a block below its head')
  if (block.number !== number) throw unexpectedBlock()
  return block
}

function withoutTransfers(header: BlockHeader | null): Block | null {
  return header === null ? null : { ...header, transfers: [] }
}

function unexpectedBlock(): NodeError {
  return new NodeError('wrong', 'the node returned another block than the requested one')
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`
}
