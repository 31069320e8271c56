/**
 * Thrown by a use case that finds its `Idempotency-Key` answered already. The server sends the kept
 * answer as it is, with `Idempotent-Replayed: true`.
 */
export class ReplayedReply extends Error {
  readonly status: number
  /** The whole envelope as JSON text. */
  readonly body: string
  /** Whether it was 504 once: what it shows is to be as it is now (decisions, section 1). */
  readonly wasUnknown: boolean

  constructor(status: number, body: string, wasUnknown = false) {
    super('answered already')
    this.name = 'ReplayedReply'
    this.status = status
    this.body = body
    this.wasUnknown = wasUnknown
  }
}
