/**
 * What a decision returns instead of its result. Its use case throws it as an error (`errorOf` of kernel/errors).
 * - `refused`: The reason in the error catalogue of the module.
 */
export interface Refused<Reason extends string> {
  readonly refused: Reason
  readonly param?: string
  readonly message?: string
  readonly data?: object
}
