/**
 * What can be wrong with a node. `refused`: it answers, and will not do this (a range too large, an answer too long, a
 * timeout): asking for less may help. `failed`: it cannot be reached or does not answer as a node. `wrong`: it answers
 * for another chain or contradicts itself.
 */
export type NodeTrouble = 'refused' | 'failed' | 'wrong'

/** The message is safe to log: it never holds a URL, which may carry a key. */
export class NodeError extends Error {
  readonly trouble: NodeTrouble
  constructor(trouble: NodeTrouble, message: string) {
    super(message)
    this.name = 'NodeError'
    this.trouble = trouble
  }
}
