import { NodeError } from './node-error.ts'
import type { Node } from './node.ts'

/** What is known of a chain before a node may speak for it. */
export interface ChainIdentity {
  readonly chainId: number
  /** Undefined before the first contact. */
  readonly genesisHash: string | undefined
}

/**
 * The nodes of a chain in the operator's order. One is used until it fails; then the next, around. A node must show the
 * right chain id and genesis before it is believed, and again after any failure.
 */
export class Nodes {
  readonly #urls: readonly string[]
  readonly #nodes: (Node | undefined)[] = []
  #current = 0
  #verified = false

  constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  get count(): number {
    return this.#urls.length
  }

  /** Which of the URLs is used, from 0: what a log may say of them. */
  get index(): number {
    return this.#current
  }

  /** The node in use, checked. Throws `NodeError`, after which `next` may help. */
  async use(identity: ChainIdentity): Promise<Node> {
    const node = await this.#open(this.#current)
    if (!this.#verified) {
      await verify(node, identity)
      this.#verified = true
    }
    return node
  }

  async #open(index: number): Promise<Node> {
    const url = this.#urls[index]
    if (url === undefined) throw new Error('a chain needs a node')
    // Loaded with the first node: a service that watches no chain does without what is needed to ask one.
    const { Node: Opened } = await import('./node.ts')
    return (this.#nodes[index] ??= new Opened(url))
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
