/** A request that the simulator refuses to run: a 4xx, and nothing is booked. */
export class Refusal extends Error {
  readonly status: 400 | 404 | 405 | 409 | 413 | 422
  /** The stable word of the refusal. */
  readonly code: string
  /** The member that is wrong, where it is one member. */
  readonly param: string | undefined

  constructor(status: Refusal['status'], code: string, message: string, param?: string) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.param = param
  }
}
