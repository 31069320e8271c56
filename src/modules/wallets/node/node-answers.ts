import { NodeError } from './node-error.ts'

/**
 * What nodes answer, checked: a node is somebody else's program, and a wrong answer must become an error here, not a
 * wrong deposit later.
 */
export interface BlockHeader {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Seconds since the epoch. */
  readonly time: number
  /** 512 hexadecimal digits; undefined when the node gives none. */
  readonly logsBloom: string | undefined
}

export interface Block extends BlockHeader {
  /** Transactions that may move the native coin: those with a value and a receiver other than the sender. */
  readonly transfers: readonly NativeTransfer[]
}

interface NativeTransfer {
  readonly transactionHash: string
  readonly source: string
  readonly destination: string
  readonly units: bigint
}

/** An ERC-20 `Transfer` log. */
export interface TokenTransfer {
  readonly blockHash: string
  readonly blockNumber: number
  readonly transactionHash: string
  readonly logIndex: number
  /** Lower case, as are all addresses here. */
  readonly contract: string
  readonly source: string
  readonly destination: string
  readonly units: bigint
}

/** keccak256("Transfer(address,address,uint256)"). */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const HASH = /^0x[0-9a-f]{64}$/
const ADDRESS = /^0x[0-9a-f]{40}$/
const QUANTITY = /^0x[0-9a-f]{1,64}$/
const BLOOM = /^0x[0-9a-f]{512}$/
/** Beyond it PostgreSQL and RFC 3339 know no time. */
const LATEST_TIME = 253_370_764_800

/** Null when the node has no such block. */
export function readHeader(answer: unknown): BlockHeader | null {
  if (answer === null || answer === undefined) return null
  const block = members(answer)
  const time = wholeNumber(block['timestamp'], 'timestamp')
  if (time > LATEST_TIME) throw malformed('timestamp')
  const bloom = block['logsBloom']
  return {
    number: wholeNumber(block['number'], 'number'),
    hash: text(block['hash'], HASH, 'hash'),
    parentHash: text(block['parentHash'], HASH, 'parentHash'),
    time,
    logsBloom: typeof bloom === 'string' && BLOOM.test(bloom) ? bloom.slice(2) : undefined,
  }
}

/** A block asked for with its transactions. Null when the node has none of that number. */
export function readBlock(answer: unknown): Block | null {
  const header = readHeader(answer)
  if (header === null) return null
  const { transactions } = members(answer)
  if (!Array.isArray(transactions)) throw malformed('transactions')
  const transfers: NativeTransfer[] = []
  for (const transaction of transactions as unknown[]) {
    const transfer = readNativeTransfer(members(transaction))
    if (transfer !== undefined) transfers.push(transfer)
  }
  return { ...header, transfers }
}

function readNativeTransfer(transaction: Members): NativeTransfer | undefined {
  const { to, value } = transaction
  if (to === null || to === undefined || value === '0x0') return undefined
  const source = text(transaction['from'], ADDRESS, 'from')
  const destination = text(to, ADDRESS, 'to')
  if (source === destination) return undefined
  return {
    transactionHash: text(transaction['hash'], HASH, 'transaction hash'),
    source,
    destination,
    units: quantity(value, 'value'),
  }
}

/**
 * The transfers among logs. A log that only looks like a transfer (an NFT's has four topics, a hostile token may leave
 * data out) is none; a transfer of nothing, or of an address to itself, moves nothing.
 */
export function readTransferLogs(answer: unknown): TokenTransfer[] {
  if (!Array.isArray(answer)) throw malformed('logs')
  const transfers: TokenTransfer[] = []
  for (const log of answer as unknown[]) {
    const transfer = readTransferLog(members(log))
    if (transfer !== undefined) transfers.push(transfer)
  }
  return transfers
}

function readTransferLog(log: Members): TokenTransfer | undefined {
  if (log['removed'] === true) throw new NodeError('wrong', 'the node answers logs of a removed block')
  const { topics, data } = log
  if (!Array.isArray(topics) || topics.length !== 3 || topics[0] !== TRANSFER_TOPIC) return undefined
  if (typeof data !== 'string' || !HASH.test(data)) return undefined
  const units = BigInt(data)
  const source = addressOfTopic(topics[1])
  const destination = addressOfTopic(topics[2])
  if (units === 0n || source === destination) return undefined
  return {
    blockHash: text(log['blockHash'], HASH, 'blockHash'),
    blockNumber: wholeNumber(log['blockNumber'], 'blockNumber'),
    transactionHash: text(log['transactionHash'], HASH, 'transactionHash'),
    logIndex: wholeNumber(log['logIndex'], 'logIndex'),
    contract: text(log['address'], ADDRESS, 'address'),
    source,
    destination,
    units,
  }
}

/** The block of a receipt and whether its transaction succeeded; null when the node has no such receipt. */
export function readReceipt(answer: unknown): { blockHash: string; succeeded: boolean } | null {
  if (answer === null || answer === undefined) return null
  const receipt = members(answer)
  return {
    blockHash: text(receipt['blockHash'], HASH, 'blockHash'),
    succeeded: receipt['status'] === '0x1',
  }
}

export function readWholeNumber(answer: unknown): number {
  return wholeNumber(answer, 'answer')
}

type Members = Readonly<Record<string, unknown>>

function members(value: unknown): Members {
  if (typeof value !== 'object' || value === null) throw malformed('object')
  return value as Members
}

/** Nodes write lower case; one that does not is read the same. */
function text(value: unknown, pattern: RegExp, what: string): string {
  if (typeof value !== 'string') throw malformed(what)
  if (pattern.test(value)) return value
  const lower = value.toLowerCase()
  if (!pattern.test(lower)) throw malformed(what)
  return lower
}

function quantity(value: unknown, what: string): bigint {
  return BigInt(text(value, QUANTITY, what))
}

function wholeNumber(value: unknown, what: string): number {
  const number = Number(quantity(value, what))
  if (!Number.isSafeInteger(number)) throw malformed(what)
  return number
}

function addressOfTopic(topic: unknown): string {
  return `0x${text(topic, HASH, 'topic').slice(26)}`
}

function malformed(what: string): NodeError {
  return new NodeError('wrong', `the node's answer has no usable ${what}`)
}
