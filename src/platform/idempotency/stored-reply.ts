export class StoredReply extends Error {
  readonly status: number
  readonly body: string
  /** Whether the reply was once a 504. A replay then shows the current state of the payment. */
  readonly wasUnknown: boolean

  constructor(status: number, body: string, wasUnknown = false) {
    super('the request already has a reply')
    this.name = 'StoredReply'
    this.status = status
    this.body = body
    this.wasUnknown = wasUnknown
  }
}
