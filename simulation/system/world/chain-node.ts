import { join } from 'node:path'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { HDKey } from '@scure/bip32'
import { type Anvil, startAnvil } from '../../../src/modules/wallets/testing/anvil.ts'
import type { ChainAction } from '../plan/draw-chain.ts'

const CHAIN = 'anvil'
const CONFIRMATIONS = 3
const POLL_MS = 50
const WEI_PER_GWEI = 1_000_000_000n
const ROOT = HDKey.fromMasterSeed(new Uint8Array(32).fill(7))

/** A block as the node shows and writes it. */
interface Header {
  readonly number: string
  readonly timestamp: string
}

/** A real node of a chain that reorganises, stalls and restarts. Its balances are the truth about deposits. */
export class ChainNode {
  readonly #state: string
  readonly #genesis: Header
  readonly settings: Readonly<Record<string, string>>
  #anvil: Anvil
  /** A restarted node keeps its earlier blocks and cannot replace them. */
  #fixedHeight = 0
  deposits = 0
  reorganisations = 0

  private constructor(
    state: string,
    settings: Readonly<Record<string, string>>,
    anvil: Anvil,
    genesis: Header,
  ) {
    this.#genesis = genesis
    this.#state = state
    this.settings = settings
    this.#anvil = anvil
  }

  static async start(root: string): Promise<ChainNode> {
    const state = join(root, 'chain.json')
    const anvil = await startAnvil({ args: ['--state', state] })
    const file = join(root, 'chains.json')
    const chain = {
      name: CHAIN,
      chain_id: 31337,
      rpc_urls: [anvil.url],
      confirmations: CONFIRMATIONS,
      poll_interval_ms: 200,
      native: { symbol: 'ETH', decimals: 18, usd_price: '2500' },
      tokens: [],
    }
    await writeFile(file, JSON.stringify([chain]))
    const settings = { CHAINS_FILE: file, WALLET_XPUB: ROOT.publicExtendedKey }
    const genesis = await anvil.rpc<Header>('eth_getBlockByNumber', '0x0', false)
    return new ChainNode(state, settings, anvil, genesis)
  }

  async run(action: ChainAction, addressOf: (business: number) => string): Promise<void> {
    switch (action.do) {
      case 'deposit': {
        const value = `0x${(BigInt(action.gwei) * WEI_PER_GWEI).toString(16)}`
        await this.#anvil.send({ from: this.#anvil.accounts[0], to: addressOf(action.business), value })
        this.deposits++
        return
      }
      case 'mine':
        return this.#anvil.mine(action.blocks)
      case 'reorganise': {
        const depth = Math.min(action.blocks, (await this.#height()) - this.#fixedHeight - 1)
        if (depth < 1) return
        await this.#anvil.rpc('anvil_reorg', depth, [])
        this.reorganisations++
        return
      }
      case 'restart':
        return this.#restart(action.downMs)
      case 'stall': {
        this.#anvil.signal('SIGSTOP')
        await sleep(action.ms)
        this.#anvil.signal('SIGCONT')
      }
    }
  }

  /** Makes every deposit deep enough to be confirmed. */
  async settle(): Promise<void> {
    await this.#anvil.mine(CONFIRMATIONS)
  }

  async weiOf(address: string): Promise<bigint> {
    return BigInt(await this.#anvil.rpc<string>('eth_getBalance', address, 'latest'))
  }

  async stop(): Promise<void> {
    await this.#anvil.stop('SIGKILL')
  }

  async #restart(downMs: number): Promise<void> {
    const { port } = this.#anvil
    await rm(this.#state, { force: true })
    const ended = this.#anvil.stop('SIGTERM').then(() => true)
    // It writes its state, and then waits for clients that keep their connections.
    while (!(await this.#hasWrittenState()) && !(await Promise.race([ended, sleep(POLL_MS, false)])));
    this.#anvil.signal('SIGKILL')
    await ended
    await this.#keepGenesis()
    await sleep(downMs)
    this.#anvil = await startAnvil({ port, args: ['--state', this.#state] })
    this.#fixedHeight = await this.#height()
  }

  /**
   * A node that loads a state makes another first block as well, writes both at the next stop, and then shows any of them.
   * The service refuses a node with another first block, because it is another chain.
   */
  async #keepGenesis(): Promise<void> {
    const state = JSON.parse(await readFile(this.#state, 'utf8')) as { blocks: { header: Header }[] }
    const blocks = state.blocks.filter(
      ({ header: { number, timestamp } }) =>
        number !== this.#genesis.number || timestamp === this.#genesis.timestamp,
    )
    await writeFile(this.#state, JSON.stringify({ ...state, blocks }))
  }

  async #hasWrittenState(): Promise<boolean> {
    try {
      JSON.parse(await readFile(this.#state, 'utf8'))
      return true
    } catch {
      return false
    }
  }

  async #height(): Promise<number> {
    return Number(await this.#anvil.rpc<string>('eth_blockNumber'))
  }
}
