import { NodeError } from './node-error.ts'

// Nodes are third-party programs. These readers check every response, so that a malformed one becomes a NodeError and
// not a wrong deposit. All addresses are in lower case.

export interface BlockHeader {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly timeS: number
  readonly logsBloom: string | undefined
}

export interface Block extends BlockHeader {
  /** Transactions with a value and a receiver other than the sender; a reverted one is among them. */
  readonly transfers: readonly NativeTransfer[]
}

interface NativeTransfer {
  readonly transactionHash: string
  readonly source: string
  readonly destination: string
  readonly units: bigint
}

export interface TokenTransfer {
  readonly blockHash: string
  readonly blockNumber: number
  readonly transactionHash: string
  readonly logIndex: number
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
/** 9999-01-01 in seconds; RFC 3339 ends with that year. */
const MAX_TIME_S = 253_370_764_800

export function readHeader(response: unknown): BlockHeader | null {
  if (response === null || response === undefined) return null
  const block = members(response)
  const timeS = wholeNumber(block['timestamp'], 'timestamp')
  if (timeS > MAX_TIME_S) throw malformed('timestamp')
  const bloom = block['logsBloom']
  return {
    number: wholeNumber(block['number'], 'number'),
    hash: text(block['hash'], HASH, 'hash'),
    parentHash: text(block['parentHash'], HASH, 'parentHash'),
    timeS,
    logsBloom: typeof bloom === 'string' && BLOOM.test(bloom) ? bloom.slice(2) : undefined,
  }
}

export function readBlock(response: unknown): Block | null {
  const header = readHeader(response)
  if (header === null) return null
  const { transactions } = members(response)
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
 * Ignores logs that only resemble a transfer (an NFT's log has four topics, a hostile token's may lack data), transfers
 * of 0 units, and transfers of an address to itself.
 */
export function readTransferLogs(response: unknown): TokenTransfer[] {
  if (!Array.isArray(response)) throw malformed('logs')
  const transfers: TokenTransfer[] = []
  for (const log of response as unknown[]) {
    const transfer = readTransferLog(members(log))
    if (transfer !== undefined) transfers.push(transfer)
  }
  return transfers
}

function readTransferLog(log: Members): TokenTransfer | undefined {
  if (log['removed'] === true) throw new NodeError('wrong', 'the node returned logs of a removed block')
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

export function readReceipt(response: unknown): { blockHash: string; succeeded: boolean } | null {
  if (response === null || response === undefined) return null
  const receipt = members(response)
  return {
    blockHash: text(receipt['blockHash'], HASH, 'blockHash'),
    succeeded: receipt['status'] === '0x1',
  }
}

export function readWholeNumber(response: unknown): number {
  return wholeNumber(response, 'result')
}

type Members = Readonly<Record<string, unknown>>

function members(value: unknown): Members {
  if (typeof value !== 'object' || value === null) throw malformed('object')
  return value as Members
}

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
  return new NodeError('wrong', `the node's response has no valid ${what}`)
}
