import { OperatorError } from '#kernel/operator-error'

export class UnfitDatabase extends OperatorError {}
