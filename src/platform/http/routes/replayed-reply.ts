/**
 * Thrown if a request with this `Idempotency-Key` has its reply already. The server sends the stored reply
 * with `Idempotent-Replayed: true`.
 */
export class ReplayedReply extends Error {
  readonly status: number
  readonly body: string
  /** The stored reply was a 504. The caller must get the present state of the payment instead. */
  readonly wasUnknown: boolean

  constructor(status: number, body: string, wasUnknown = false) {
    super('the request has a stored reply')
    this.name = 'ReplayedReply'
    this.status = status
    this.body = body
    this.wasUnknown = wasUnknown
  }
}
