import { OperatorError } from '#kernel/operator-error'

/** A command that cannot be carried out; its message is for the operator. */
export class CommandError extends OperatorError {}
