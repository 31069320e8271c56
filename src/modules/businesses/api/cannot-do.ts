import { OperatorError } from '#kernel/operator-error'

/** A request of the command line that cannot be carried out. */
export class CannotDo extends OperatorError {}
