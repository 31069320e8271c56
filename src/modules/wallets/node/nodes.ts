import { NodeError } from './node-error.ts'
import { Node } from './node.ts'

/** What is known of a chain before a node may speak for it. */
export interface ChainIdentity {
  readonly chainId: number
  /** Undefined before the first contact. */
  readonly genesisHash: string | undefined
}

/**
 * The nodes of a chain in the operator's order. One is used until it fails; then the next, around. A node must show the
 * right chain id and genesis before it is believed, again after any failure, and before a reorganisation is believed.
 */
export class Nodes {
  readonly #nodes: readonly Node[]
  #current = 0
  #verified = false

  constructor(urls: readonly string[]) {
    this.#nodes = urls.map((url) => new Node(url))
  }

  get count(): number {
    return this.#nodes.length
  }

  /** Which of the URLs is used, from 0: what a log may say of them. */
  get index(): number {
    return this.#current
  }

  /** The node in use, checked. Throws `NodeError`, after which `next` may help. */
  async use(identity: ChainIdentity): Promise<Node> {
    const node = this.#nodes[this.#current]
    if (node === undefined) throw new Error('a chain needs a node')
    if (!this.#verified) {
      await verify(node, identity)
      this.#verified = true
    }
    return node
  }

  /**
   * Has the node in use show again who it is: another one may answer at its address without that any
   * request failed. Throws `NodeError`.
   */
  async checkAgain(identity: ChainIdentity): Promise<void> {
    this.#verified = false
    await this.use(identity)
  }

  /** Turns to the next node. */
  next(): void {
    this.#current = (this.#current + 1) % this.#nodes.length
    this.#verified = false
  }
}

async function verify(node: Node, identity: ChainIdentity): Promise<void> {
  const chainId = await node.chainId()
  if (chainId !== identity.chainId) {
    throw new NodeError('wrong', `the node is on chain ${chainId}, not ${identity.chainId}`)
  }
  if (identity.genesisHash === undefined) return
  const genesis = await node.header(0)
  // A node that keeps no history has none.
  if (genesis !== null && genesis.hash !== identity.genesisHash) {
    throw new NodeError('wrong', 'the node is on a chain of the same id with another genesis')
  }
}
