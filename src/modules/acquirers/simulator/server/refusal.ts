export class Refusal extends Error {
  readonly status: 400 | 404 | 405 | 409 | 413 | 422
  readonly code: string
  readonly param: string | undefined

  constructor(status: Refusal['status'], code: string, message: string, param?: string) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.param = param
  }
}
