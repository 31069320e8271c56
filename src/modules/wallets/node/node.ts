import { type Hex, http, HttpRequestError, ResponseBodyTooLargeError, RpcError, RpcRequestError } from 'viem'
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
} from './node-answers.ts'
import { NodeError } from './node-error.ts'

/** One request, its answer's body included. */
const TIMEOUT_MS = 10_000
/** An answer of full blocks is a few megabytes; more is refused before it fills the memory. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024
/** Requests of one batch; nodes that refuse are asked for fewer at once. */
const MAX_BATCH = 50
const BATCHES_AT_ONCE = 2

type Request = (
  args: { method: string; params: readonly unknown[] },
  options: { signal: AbortSignal },
) => Promise<unknown>

interface Question<Answer> {
  readonly method: string
  readonly params: readonly unknown[]
  readonly read: (answer: unknown) => Answer
}

/** One JSON-RPC node. Every method throws `NodeError`. */
export class Node {
  readonly #single: Request
  readonly #batched: Request
  readonly #timeoutMs: number
  #batchSize = MAX_BATCH

  constructor(url: string, { timeoutMs = TIMEOUT_MS } = {}) {
    this.#timeoutMs = timeoutMs
    // The transport's own timeout ends with an answer's headers; a signal covers the body too.
    const options = { retryCount: 0, timeout: 0, maxResponseBodySize: MAX_RESPONSE_BYTES }
    this.#single = http(url, options)({}).request
    this.#batched = http(url, { ...options, batch: { batchSize: MAX_BATCH } })({}).request
  }

  async chainId(): Promise<number> {
    return readWholeNumber(await this.#ask('eth_chainId', []))
  }

  async header(block: number | 'latest' | 'finalized'): Promise<BlockHeader | null> {
    const tag = typeof block === 'number' ? toHex(block) : block
    const header = readHeader(await this.#ask('eth_getBlockByNumber', [tag, false]))
    if (header !== null && typeof block === 'number' && header.number !== block) throw otherBlock()
    return header
  }

  /** The blocks of these numbers, in order; with their transactions when `full`. Throws when one is missing. */
  async blocks(from: number, to: number, full: boolean): Promise<Block[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    return this.#askMany(
      numbers.map((number) => ({
        method: 'eth_getBlockByNumber',
        params: [toHex(number), full],
        read: (answer) =>
          readNumbered(number, full ? readBlock(answer) : withoutTransfers(readHeader(answer))),
      })),
    )
  }

  /** All `Transfer` logs of these contracts in a range of blocks, or in the block of a hash. */
  async transferLogs(
    contracts: readonly string[],
    where: { readonly from: number; readonly to: number } | { readonly blockHash: string },
  ): Promise<TokenTransfer[]> {
    const range =
      'blockHash' in where
        ? { blockHash: where.blockHash }
        : { fromBlock: toHex(where.from), toBlock: toHex(where.to) }
    return readTransferLogs(
      await this.#ask('eth_getLogs', [{ address: contracts, topics: [TRANSFER_TOPIC], ...range }]),
    )
  }

  /** Receipts of these transactions, in order. */
  async receipts(transactionHashes: readonly string[]): Promise<ReturnType<typeof readReceipt>[]> {
    return this.#askMany(
      transactionHashes.map((hash) => ({
        method: 'eth_getTransactionReceipt',
        params: [hash],
        read: readReceipt,
      })),
    )
  }

  /**
   * Asks in batches, a few at a time, and reads each as it comes: raw blocks are large. A batch that is refused is asked
   * again in smaller ones; when none was, the next questions may come in larger ones.
   */
  async #askMany<Answer>(all: readonly Question<Answer>[]): Promise<Answer[]> {
    const answers: Answer[] = []
    const sizeBefore = this.#batchSize
    while (answers.length < all.length) {
      const size = this.#batchSize
      const round = all.slice(answers.length, answers.length + size * BATCHES_AT_ONCE)
      const parts = [round.slice(0, size), round.slice(size)].filter((part) => part.length > 0)
      try {
        for (const part of await Promise.all(parts.map((questions) => this.#askBatch(questions)))) {
          answers.push(...part)
        }
      } catch (error) {
        const asked = Math.min(size, round.length)
        if (!(error instanceof NodeError && error.trouble === 'refused') || asked === 1) throw error
        this.#batchSize = Math.ceil(asked / 4)
      }
    }
    if (this.#batchSize === sizeBefore && all.length >= sizeBefore) {
      this.#batchSize = Math.min(MAX_BATCH, sizeBefore * 2)
    }
    return answers
  }

  async #askBatch<Answer>(questions: readonly Question<Answer>[]): Promise<Answer[]> {
    const signal = AbortSignal.timeout(this.#timeoutMs)
    const request = questions.length === 1 ? this.#single : this.#batched
    // The transport gathers what is asked at once, with one signal, into one HTTP request.
    return translated(
      Promise.all(
        questions.map(async ({ method, params, read }) =>
          read(await request({ method, params }, { signal })),
        ),
      ),
    )
  }

  #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return translated(this.#single({ method, params }, { signal: AbortSignal.timeout(this.#timeoutMs) }))
  }
}

async function translated<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw toNodeError(error)
  }
}

/** Errors of the transport quote the URL; these do not. */
function toNodeError(error: unknown): NodeError {
  if (error instanceof NodeError) return error
  if (error instanceof ResponseBodyTooLargeError) return new NodeError('refused', 'the answer is too long')
  if (error instanceof HttpRequestError) {
    const { status } = error
    const trouble = status === 413 || status === 400 ? 'refused' : 'failed'
    return new NodeError(trouble, status === undefined ? 'no answer' : `HTTP status ${status}`)
  }
  // The transport throws the reason of the signal.
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new NodeError('refused', 'no answer in time')
  }
  if (error instanceof RpcError || error instanceof RpcRequestError) {
    return new NodeError('refused', `JSON-RPC error ${error.code}`)
  }
  return new NodeError('failed', 'the answer is not JSON-RPC')
}

function readNumbered(number: number, block: Block | null): Block {
  if (block === null) throw new NodeError('failed', 'the node does not have a block below its head')
  if (block.number !== number) throw otherBlock()
  return block
}

function withoutTransfers(header: BlockHeader | null): Block | null {
  return header === null ? null : { ...header, transfers: [] }
}

function otherBlock(): NodeError {
  return new NodeError('wrong', 'the node answers another block than it was asked for')
}

function toHex(number: number): Hex {
  return `0x${number.toString(16)}`
}
