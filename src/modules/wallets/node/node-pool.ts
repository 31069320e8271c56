import { NodeError } from './node-error.ts'
import { Node } from './node.ts'

export interface ChainIdentity {
  readonly chainId: number
  readonly genesisHash: string | undefined
}

/**
 * The nodes of a chain in the operator's order, used in rotation on failure. A node must prove its chain id and genesis
 * before its first use, after every failure, and before a reorg is accepted.
 */
export class NodePool {
  readonly #nodes: readonly Node[]
  #index = 0
  #verified = false

  constructor(urls: readonly string[]) {
    this.#nodes = urls.map((url) => new Node(url))
  }

  get count(): number {
    return this.#nodes.length
  }

  get index(): number {
    return this.#index
  }

  async current(identity: ChainIdentity): Promise<Node> {
    const node = this.#nodes[this.#index]
    if (node === undefined) throw new Error('a chain needs at least one node')
    if (!this.#verified) {
      await verify(node, identity)
      this.#verified = true
    }
    return node
  }

  /** Another node may have replaced this one at its URL without a failed request. @throws `NodeError` */
  async verifyAgain(identity: ChainIdentity): Promise<void> {
    this.#verified = false
    await this.current(identity)
  }

  failOver(): void {
    this.#index = (this.#index + 1) % this.#nodes.length
    this.#verified = false
  }
}

async function verify(node: Node, identity: ChainIdentity): Promise<void> {
  const chainId = await node.chainId()
  if (chainId !== identity.chainId) {
    throw new NodeError('wrong', `the node has chain id ${chainId}, expected ${identity.chainId}`)
  }
  if (identity.genesisHash === undefined) return
  const genesis = await node.header(0)
  if (genesis !== null && genesis.hash !== identity.genesisHash) {
    throw new NodeError(
      'wrong',
      'the node is on another chain: its chain id matches, but its genesis block does not',
    )
  }
}
