import { errorOf, throwIfRefused } from '#kernel/errors'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { type AcquirersContext, changing } from '../context.ts'
import type { AcquirersDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import { accountIds } from '../storage/account.repository.ts'
import { findRouting, replaceRouting, type Routing } from '../storage/routing.repository.ts'
import { SIMULATOR_ACCOUNT } from '../model/router.ts'
import { decideRule, refuseUnknownAccounts } from './decide-rule.ts'
import type { NewRule } from './routing-requests.ts'

export function putRouting(
  ctx: AcquirersContext,
  caller: Caller,
  given: readonly NewRule[],
): Promise<Routing> {
  return changing(ctx, caller, async () => {
    const rules = given.map((one, index) => {
      const rule = decideRule(one, pathOf(index))
      if ('refused' in rule) throw errorOf(errors, rule)
      return rule
    })
    return once(ctx.db, caller, async (tx) => {
      const known = await accountIds(tx)
      if (caller.environment === 'test') known.add(SIMULATOR_ACCOUNT)
      rules.forEach((rule, index) =>
        throwIfRefused(errors, refuseUnknownAccounts(rule, known, pathOf(index))),
      )
      return replaceRouting(tx, rules)
    })
  })
}

function pathOf(index: number): string {
  return `routing.rules[${index}]`
}

export function getRouting(
  { db }: AcquirersDependencies,
  { businessId }: Caller,
): Promise<Routing | undefined> {
  return findRouting(db, businessId)
}
