import { errorOf, type RequestError } from '#kernel/errors'
import type { Refused } from '#kernel/refusal'
import { catalogueErrors } from '#modules/catalogue'
import { paymentErrors } from '#modules/payments'
import { platformErrors } from '#platform/errors'

const errors = { ...catalogueErrors, ...paymentErrors, missing_member: platformErrors.missing_member }

export type PlanRefusal = Refused<Exclude<keyof typeof errors, 'catalogue'>>

export function errorOfRefusal(refused: PlanRefusal): RequestError {
  return errorOf(errors, refused)
}

/** Returns what was decided about a plan, or throws the error that says what was refused. */
export function accepted<Decided extends object>(decided: Decided | PlanRefusal): Decided {
  if ('refused' in decided) throw errorOfRefusal(decided)
  return decided
}

export function throwIfRefused(refused: PlanRefusal | null): void {
  if (refused !== null) throw errorOfRefusal(refused)
}
