import { realNowMs } from '#kernel/clock'
import type { Chain } from '../configuration/configuration.ts'
import type { WalletsDependencies } from '../dependencies.ts'
import type { ChainMetrics } from './chain-metrics.ts'
import {
  beginAt,
  type Cursor,
  findOwners,
  keptHash,
  LEASE_RENEWAL_MS,
  type LeasedChain,
  registerChain,
  releaseLease,
  renewLease,
  rewind,
  setFinalized,
  storeWindow,
  takeLease,
} from '../storage/chain.repository.ts'
import { firstBlock } from './first-block.ts'
import type { BlockHeader } from '../node/node-answers.ts'
import { NodeError } from '../node/node-error.ts'
import type { Node } from '../node/node.ts'
import { type ChainIdentity, Nodes } from '../node/nodes.ts'
import { type Window, WindowReader } from '../node/read-window.ts'
import { commonAncestor } from './reorganisation.ts'
import { tellTenants } from './tell-tenants.ts'
import { WindowSize } from '../node/window-size.ts'

const MAX_BACKOFF_MS = 30_000
/** After so many windows the lease and the head are looked at again. */
const WINDOWS_AT_ONCE = 16

type Dependencies = Pick<WalletsDependencies, 'db' | 'events' | 'log'>

/**
 * Watches one chain: reads its blocks in order, stores what it finds with the cursor, notices reorganisations, tells
 * the tenants. Any number of workers may run one each; a lease lets one of them read at a time.
 */
export class ChainWatcher {
  readonly #deps: Dependencies
  readonly #chain: Chain
  readonly #holder: string
  readonly #metrics: ChainMetrics
  readonly #nodes: Nodes
  readonly #reader: WindowReader
  readonly #size = new WindowSize()
  #registered = false
  #failures = 0
  #stopping = false
  #wake: (() => void) | undefined
  #loop: Promise<void> | undefined

  /** @param holder names this worker in the lease */
  constructor(deps: Dependencies, chain: Chain, holder: string, metrics: ChainMetrics) {
    this.#deps = deps
    this.#chain = chain
    this.#holder = holder
    this.#metrics = metrics
    this.#nodes = new Nodes(chain.rpcUrls)
    this.#reader = new WindowReader(chain, (addresses) => findOwners(deps.db, addresses))
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Ends after the step under way, and lets another worker go on at once. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#wake?.()
    await this.#loop
    await releaseLease(this.#deps.db, this.#chain.name, this.#holder).catch(() => {})
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const more = await this.#look()
      if (!more) await this.#pause(this.#pauseMs())
    }
  }

  #pauseMs(): number {
    const { pollIntervalMs } = this.#chain
    // Another node is tried at once; only when all have failed is there a longer pause.
    const rounds = Math.floor(this.#failures / this.#nodes.count)
    return Math.min(MAX_BACKOFF_MS, pollIntervalMs * 2 ** Math.min(rounds, 20))
  }

  /** One look at the chain; true when there is more to do at once. */
  async #look(): Promise<boolean> {
    const { db, log } = this.#deps
    try {
      if (!(await this.#register())) return false
      const leased = await takeLease(db, this.#chain.name, this.#holder)
      if (leased === undefined) {
        this.#metrics.forget(this.#chain.name)
        return false
      }
      const more = await this.#keepingLease(() => this.#advance(leased))
      this.#failures = 0
      return more
    } catch (error) {
      this.#failures++
      if (!(error instanceof NodeError)) {
        log.error({ err: error, blockchain: this.#chain.name }, 'reading the chain failed')
        return false
      }
      this.#metrics.countNodeError(this.#chain.name, error.trouble)
      const node = this.#nodes.index
      log.warn(
        { blockchain: this.#chain.name, node, trouble: error.trouble, reason: error.message },
        'a chain node failed',
      )
      this.#nodes.next()
      return this.#failures < this.#nodes.count
    }
  }

  /** Renews the lease while `work` goes on, however long the node takes. */
  async #keepingLease<T>(work: () => Promise<T>): Promise<T> {
    const renewal = setInterval(() => {
      // One that fails is followed by another; a lease that is lost is seen when the window is stored.
      renewLease(this.#deps.db, this.#chain.name, this.#holder).catch(() => {})
    }, LEASE_RENEWAL_MS)
    try {
      return await work()
    } finally {
      clearInterval(renewal)
    }
  }

  /**
   * Makes the chain known before any node is asked, since deposits count from then on. False when its name stood for
   * another chain before, whose deposits would be mixed up with this one's.
   */
  async #register(): Promise<boolean> {
    if (this.#registered) return true
    const { name, chainId } = this.#chain
    const knownAs = await registerChain(this.#deps.db, name, chainId)
    if (knownAs === chainId) this.#registered = true
    else {
      // Said again and again, ever more rarely: only the operator can help.
      this.#failures++
      const sentence = `CHAINS_FILE: ${name} was chain ${knownAs} before and is not watched; give chain ${chainId} another name`
      this.#deps.log.error({ blockchain: name }, sentence)
    }
    return this.#registered
  }

  async #advance(leased: LeasedChain): Promise<boolean> {
    const { db } = this.#deps
    const node = await this.#nodes.use(this.#identity(leased))
    const head = await node.header('latest')
    if (head === null) throw new NodeError('failed', 'the node has no blocks')
    if (leased.cursor === undefined) return this.#begin(leased, node, head)
    if (this.#chain.confirmations === 'finalized') await this.#noteFinalized(leased, node)
    const { cursor } = leased
    const standing = head.number >= cursor.number ? cursor.hash : await keptHash(db, leased.name, head.number)
    // A head below the cursor may be a node that lags; one with another hash is a reorganisation.
    if (head.number <= cursor.number) {
      if (standing !== undefined && head.hash !== standing)
        return this.#reorganise(leased, node, cursor, head)
      this.#observe(head, cursor.number)
      await tellTenants(this.#deps, this.#chain)
      return false
    }
    return this.#readOn(leased, node, cursor, head)
  }

  async #begin(leased: LeasedChain, node: Node, head: BlockHeader): Promise<boolean> {
    const [genesis, first] = await Promise.all([node.header(0), firstBlock(node, head, leased.watchedSince)])
    return beginAt(this.#deps.db, leased, first, genesis?.hash)
  }

  /** Reads up to the head, a bounded number of windows; the next one is read while one is stored and told. */
  async #readOn(leased: LeasedChain, node: Node, from: Cursor, head: BlockHeader): Promise<boolean> {
    let cursor = from
    let reading = this.#readWindow(node, cursor.number + 1, head.number)
    for (let count = 0; ; count++) {
      const window = await reading
      if (window === undefined) return true
      const last = window.blocks.at(-1)
      if (last === undefined) return true
      if (window.parentHash !== cursor.hash) return this.#reorganise(leased, node, cursor, head)
      const done = last.number >= head.number || count === WINDOWS_AT_ONCE || this.#stopping
      if (!done) {
        reading = this.#readWindow(node, last.number + 1, head.number)
        // Whoever awaits it sees the error; storing may fail first.
        reading.catch(() => {})
      }
      if (!(await storeWindow(this.#deps.db, leased, cursor, window))) return true
      cursor = { number: last.number, hash: last.hash }
      this.#observe(head, last.number, last.time)
      await tellTenants(this.#deps, this.#chain)
      if (done) return last.number < head.number
    }
  }

  /** Undefined when the node refused and a smaller window is worth a try. */
  async #readWindow(node: Node, from: number, head: number): Promise<Window | undefined> {
    const to = Math.min(head, from + this.#size.blocks - 1)
    const startedMs = realNowMs()
    try {
      const window = await this.#reader.read(node, from, to)
      if (to < head) this.#size.learn(realNowMs() - startedMs, window.answered)
      return window
    } catch (error) {
      const mayShrink = error instanceof NodeError && error.trouble === 'refused' && to > from
      if (mayShrink && this.#size.shrink()) return undefined
      throw error
    }
  }

  #identity(leased: LeasedChain): ChainIdentity {
    return { chainId: this.#chain.chainId, genesisHash: leased.genesisHash }
  }

  async #reorganise(leased: LeasedChain, node: Node, cursor: Cursor, head: BlockHeader): Promise<boolean> {
    const { db, log } = this.#deps
    const ancestor = await commonAncestor(db, node, leased.name, Math.min(cursor.number, head.number))
    await this.#nodes.checkAgain(this.#identity(leased))
    // The node contradicted itself; its chain is as we read it.
    if (ancestor.number === cursor.number && ancestor.hash === cursor.hash) {
      throw new NodeError('wrong', 'the chain changed while it was read')
    }
    if (await rewind(db, leased, cursor, ancestor)) {
      this.#metrics.countReorganisation(leased.name)
      const depth = cursor.number - ancestor.number
      log.warn({ blockchain: leased.name, depth, ancestor: ancestor.number }, 'the chain was reorganised')
    }
    await tellTenants(this.#deps, this.#chain)
    return true
  }

  async #noteFinalized(leased: LeasedChain, node: Node): Promise<void> {
    const finalized = await node.header('finalized')
    if (finalized !== null) await setFinalized(this.#deps.db, leased, finalized.number)
  }

  #observe(head: BlockHeader, readNumber: number, readTime = head.time): void {
    this.#metrics.observe(this.#chain.name, {
      blocks: Math.max(0, head.number - readNumber),
      seconds: Math.max(0, realNowMs() / 1_000 - readTime),
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
