import type { RequestError } from '#kernel/errors'
import type { ExactNumber } from '#kernel/json'
import { Money, parseMoney } from '#kernel/money'
import type { Caller } from '#platform/caller'
import type { PlanView, PlansContext } from '../context.ts'
import { catalogueErrors as errors } from '#modules/catalogue'
import { type PlanAggregate, withEvent, withPlan } from '../model/plan.ts'
import { accepted } from '../errors.ts'
import { type EndedRefusal, refuseUnlessRecoverable } from '../model/refuse-ended.ts'
import { changePlan } from '../plan/change-plan.ts'
import { insertCredits } from '../storage/plan.repository.ts'

export interface NewCredit {
  readonly amount: number | ExactNumber
  readonly note?: string
}

export function creditPlan(
  ctx: PlansContext,
  caller: Caller,
  id: string,
  credit: NewCredit,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at, tx) => {
    const { currency } = aggregate.plan.credit
    const amount = parseMoney(currency, credit.amount)
    if (!(amount instanceof Money)) throw creditInvalid(`amount ${amount.message}`)
    if (!amount.isPositive()) throw errors.credit_invalid({ param: 'amount' })
    const credited = accepted(addCredit(aggregate, amount))
    const total = parseMoney(currency, credited.plan.credit.toString())
    if (!(total instanceof Money)) throw creditInvalid(`The plan's credit ${total.message}`)
    await insertCredits(tx, [
      { planId: id, orderId: null, givenBy: null, amount, note: credit.note ?? null, at },
    ])
    return credited
  })
}

function creditInvalid(message: string): RequestError {
  return errors.credit_invalid({ param: 'amount', message: `${message}.` })
}

export function addCredit(aggregate: PlanAggregate, amount: Money): PlanAggregate | EndedRefusal {
  const refused = refuseUnlessRecoverable(aggregate)
  if (refused !== null) return refused
  return withEvent(withPlan(aggregate, { credit: aggregate.plan.credit.plus(amount) }), {
    type: 'plan.updated',
  })
}
