/**
 * Thrown by a use case that finds its `Idempotency-Key` answered already. The server sends the kept
 * answer as it is, with `Idempotent-Replayed: true`.
 */
export class ReplayedAnswer extends Error {
  readonly status: number
  /** The whole envelope as JSON text. */
  readonly body: string

  constructor(status: number, body: string) {
    super('answered already')
    this.name = 'ReplayedAnswer'
    this.status = status
    this.body = body
  }
}
