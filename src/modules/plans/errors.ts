import { errorOf } from '#kernel/errors'
import type { Refused } from '#kernel/refusal'
import { catalogueErrors } from '#modules/catalogue'
import { paymentErrors } from '#modules/payments'

const errors = { ...catalogueErrors, ...paymentErrors }

export type PlanRefusal = Refused<Exclude<keyof typeof errors, 'catalogue'>>

/** Returns what was decided about a plan, or throws the error that says what was refused. */
export function accepted<Decided extends object>(decided: Decided | PlanRefusal): Decided {
  if ('refused' in decided) throw errorOf(errors, decided)
  return decided
}

export function throwIfRefused(refused: PlanRefusal | null): void {
  if (refused !== null) throw errorOf(errors, refused)
}
