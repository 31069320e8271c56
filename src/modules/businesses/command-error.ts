import { OperatorError } from '#kernel/operator-error'

export class CommandError extends OperatorError {}
