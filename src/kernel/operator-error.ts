/** Its message is for the operator, who is shown nothing else: what is wrong, in sentences that name what to change. */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}
