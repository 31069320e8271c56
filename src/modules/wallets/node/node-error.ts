/**
 * `refused`: the request is too large for the node (range, response or time), and a smaller one may work. `failed`: the
 * node is unreachable or does not speak JSON-RPC. `wrong`: the node is on another chain or contradicts itself.
 */
export type NodeErrorKind = 'refused' | 'failed' | 'wrong'

/** The message never holds a URL, which may contain an API key, and is safe to log. */
export class NodeError extends Error {
  readonly kind: NodeErrorKind
  constructor(kind: NodeErrorKind, message: string) {
    super(message)
    this.name = 'NodeError'
    this.kind = kind
  }
}
