import { realNowMs } from '#kernel/clock'
import { whileRenewing } from '#platform/jobs/renewals'
import type { Chain } from '../model/chain.ts'
import type { WalletsContext } from '../context.ts'
import { BlockRangeReader } from '../node/block-range.ts'
import type { AddressOwner, BlockRange } from '../model/block-range.ts'
import { NodeError } from '../node/node-error.ts'
import { type ChainIdentity, NodePool } from '../node/node-pool.ts'
import type { Node } from '../node/node.ts'
import { RangeSize } from '../node/range-size.ts'
import type { BlockHeader } from '../node/rpc-responses.ts'
import {
  type Cursor,
  LEASE_RENEWAL_MS,
  type LeasedChain,
  registerChain,
  releaseLease,
  renewLease,
  takeLease,
} from '../storage/chain-lease.repository.ts'
import {
  findBlockHash,
  initializeCursor,
  rewind,
  setFinalized,
  storeBlockRange,
} from '../storage/chain.repository.ts'
import { findOwners } from '../storage/wallet.repository.ts'
import type { ChainMetrics } from './chain-metrics.ts'
import { findCommonAncestor } from './common-ancestor.ts'
import { publishTransfers } from './publish-transfers.ts'
import { findStartBlock } from './start-block.ts'

const MAX_BACKOFF_MS = 30_000
/** Then what was found is published, before more of a long past is read. */
const MAX_RANGES_PER_POLL = 16

type Context = Pick<WalletsContext, 'db' | 'events' | 'businesses' | 'log' | 'present'>

/**
 * Scans the blocks of one chain in order, stores transfers together with the cursor, follows reorgs, and publishes
 * transfers to their tenants. Every process may run a watcher; a lease lets one of them scan at a time.
 */
export class ChainWatcher {
  readonly #ctx: Context
  readonly #chain: Chain
  readonly #leaseHolder: string
  readonly #metrics: ChainMetrics
  readonly #nodes: NodePool
  readonly #reader: BlockRangeReader
  readonly #rangeSize = new RangeSize()
  #registered = false
  #failures = 0
  #stopping = false
  #wake: (() => void) | undefined
  #loop: Promise<void> | undefined

  constructor(ctx: Context, chain: Chain, leaseHolder: string, metrics: ChainMetrics) {
    this.#ctx = ctx
    this.#chain = chain
    this.#leaseHolder = leaseHolder
    this.#metrics = metrics
    this.#nodes = new NodePool(chain.rpcUrls)
    this.#reader = new BlockRangeReader(chain, (addresses) => this.#findOwners(addresses))
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    this.#wake?.()
    await this.#loop
    await releaseLease(this.#ctx.db, this.#chain.name, this.#leaseHolder).catch(() => {})
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const isBehind = await this.#poll()
      if (!isBehind) await this.#pause(this.#pauseMs())
    }
  }

  #pauseMs(): number {
    const { pollIntervalMs } = this.#chain
    // The watcher fails over to another node at once; only a full round of failures lengthens the pause.
    const failedRounds = Math.floor(this.#failures / this.#nodes.count)
    return Math.min(MAX_BACKOFF_MS, pollIntervalMs * 2 ** Math.min(failedRounds, 20))
  }

  async #poll(): Promise<boolean> {
    const { db, log } = this.#ctx
    const blockchain = this.#chain.name
    try {
      if (!(await this.#register())) return false
      const leased = await takeLease(db, blockchain, this.#leaseHolder)
      if (leased === undefined) {
        this.#metrics.clearLag(blockchain)
        return false
      }
      const renew = () => renewLease(db, blockchain, this.#leaseHolder)
      // Storing a block range fails once the lease is lost.
      const isBehind = await whileRenewing({ everyMs: LEASE_RENEWAL_MS, renew }, () => this.#advance(leased))
      this.#failures = 0
      return isBehind
    } catch (error) {
      this.#failures++
      if (!(error instanceof NodeError)) {
        log.error({ err: error, blockchain }, 'scanning the chain failed')
        return false
      }
      this.#metrics.countNodeError(blockchain, error.kind)
      const node = this.#nodes.index
      log.warn({ blockchain, node, kind: error.kind, reason: error.message }, 'a chain node failed')
      this.#nodes.failOver()
      return this.#failures < this.#nodes.count
    }
  }

  /** Refuses a name that belonged to another chain id before, because the deposits of both chains would be mixed. */
  async #register(): Promise<boolean> {
    if (this.#registered) return true
    const { name, chainId } = this.#chain
    const registeredChainId = await registerChain(this.#ctx.db, name, chainId)
    if (registeredChainId === chainId) this.#registered = true
    else {
      // Counting this as a failure spaces out the repeated log lines: only the operator can correct the file.
      this.#failures++
      const message = `CHAINS_FILE: ${name} has been registered with chain_id ${registeredChainId} and is not scanned; give chain_id ${chainId} another name`
      this.#ctx.log.error({ blockchain: name }, message)
    }
    return this.#registered
  }

  async #advance(leased: LeasedChain): Promise<boolean> {
    const { db } = this.#ctx
    const node = await this.#nodes.current(this.#identity(leased))
    const head = await node.header('latest')
    if (head === null) throw new NodeError('failed', 'the node has no blocks')
    if (leased.cursor === undefined) return this.#initialize(leased, node, head)
    if (this.#chain.confirmations === 'finalized') await this.#updateFinalized(leased, node)
    const { cursor } = leased
    if (head.number > cursor.number) return this.#scanRanges(leased, node, cursor, head)
    // A head below the cursor may come from a node that lags; a head with another hash is a reorg.
    const storedHash =
      head.number === cursor.number ? cursor.hash : await findBlockHash(db, leased.name, head.number)
    if (storedHash !== undefined && head.hash !== storedHash) {
      return this.#handleReorg(leased, node, cursor, head)
    }
    this.#setLag(head, cursor.number)
    await publishTransfers(this.#ctx, this.#chain)
    return false
  }

  async #initialize(leased: LeasedChain, node: Node, head: BlockHeader): Promise<boolean> {
    const [genesis, start] = await Promise.all([
      node.header(0),
      findStartBlock(node, head, leased.watchedSince),
    ])
    return initializeCursor(this.#ctx.db, leased, start, genesis?.hash)
  }

  async #scanRanges(leased: LeasedChain, node: Node, from: Cursor, head: BlockHeader): Promise<boolean> {
    let cursor = from
    let reading = this.#readRange(node, cursor.number + 1, head.number)
    for (let count = 0; ; count++) {
      const range = await reading
      if (range === undefined) return true
      const last = range.blocks.at(-1)
      if (last === undefined) return true
      if (range.parentHash !== cursor.hash) return this.#handleReorg(leased, node, cursor, head)
      const done = last.number >= head.number || count === MAX_RANGES_PER_POLL || this.#stopping
      if (!done) {
        reading = this.#readRange(node, last.number + 1, head.number)
        // The next iteration awaits this promise. Without a handler, an earlier rejection would end the process.
        reading.catch(() => {})
      }
      if (!(await storeBlockRange(this.#ctx.db, leased, cursor, range))) return true
      cursor = { number: last.number, hash: last.hash }
      this.#setLag(head, last.number, last.timeS)
      await publishTransfers(this.#ctx, this.#chain)
      if (done) return last.number < head.number
    }
  }

  async #readRange(node: Node, from: number, head: number): Promise<BlockRange | undefined> {
    const to = Math.min(head, from + this.#rangeSize.blocks - 1)
    const startedMs = realNowMs()
    try {
      const range = await this.#reader.read(node, from, to)
      if (to < head) this.#rangeSize.adjust(realNowMs() - startedMs, range.itemCount)
      return range
    } catch (error) {
      const mayShrink = error instanceof NodeError && error.kind === 'refused' && to > from
      if (mayShrink && this.#rangeSize.shrink()) return undefined
      throw error
    }
  }

  async #findOwners(addresses: readonly string[]): Promise<ReadonlyMap<string, AddressOwner>> {
    const { db, businesses } = this.#ctx
    const owners = await findOwners(db, addresses)
    if (!this.#chain.isSandbox) return owners
    for (const [address, { businessId }] of owners) {
      const { environment } = await businesses.profile(businessId)
      if (environment === 'live') owners.delete(address)
    }
    return owners
  }

  #identity(leased: LeasedChain): ChainIdentity {
    return { chainId: this.#chain.chainId, genesisHash: leased.genesisHash }
  }

  async #handleReorg(leased: LeasedChain, node: Node, cursor: Cursor, head: BlockHeader): Promise<boolean> {
    const { db, log } = this.#ctx
    const ancestor = await findCommonAncestor(db, node, leased.name, Math.min(cursor.number, head.number))
    await this.#nodes.verifyAgain(this.#identity(leased))
    if (ancestor.number === cursor.number && ancestor.hash === cursor.hash) {
      throw new NodeError('wrong', 'the chain changed during the scan')
    }
    if (await rewind(db, leased, cursor, ancestor)) {
      this.#metrics.countReorg(leased.name)
      const depth = cursor.number - ancestor.number
      log.warn({ blockchain: leased.name, depth, ancestor: ancestor.number }, 'the chain was reorganized')
    }
    await publishTransfers(this.#ctx, this.#chain)
    return true
  }

  async #updateFinalized(leased: LeasedChain, node: Node): Promise<void> {
    const finalized = await node.header('finalized')
    if (finalized !== null) await setFinalized(this.#ctx.db, leased, finalized.number)
  }

  #setLag(head: BlockHeader, scannedNumber: number, scannedTime = head.timeS): void {
    this.#metrics.setLag(this.#chain.name, {
      blocks: Math.max(0, head.number - scannedNumber),
      seconds: Math.max(0, realNowMs() / 1_000 - scannedTime),
    })
  }

  async #pause(durationMs: number): Promise<void> {
    if (this.#stopping) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, durationMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
