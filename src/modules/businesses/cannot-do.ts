/** A request of the command line that cannot be carried out. The message is one sentence for the operator. */
export class CannotDo extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CannotDo'
  }
}
