import Type, { type Static } from 'typebox'
import type { Caller } from '#platform/caller'
import { HttpUrl, OneOf, strictObject } from '#platform/http/validation/schemas'
import type { SealBinding } from '#platform/security/keyring'
import { putWithSecret, type SecretHolder } from '#platform/idempotency/secret-holder'
import { HOOK_DECISIONS } from '../model/authorization.ts'
import { errors } from '../errors.ts'
import {
  deleteHook,
  findHook,
  readSealedSecret,
  replaceSealedSecret,
  saveHook,
} from '../storage/hook.repository.ts'
import type { DecisionHook } from '../model/decision-hook.ts'
import type { CardsContext } from '../context.ts'

export interface ShownHook extends DecisionHook {
  readonly secret?: string | undefined
}

/** Card networks stop waiting for a decision after two seconds (deploy/prometheus/alerts.yml). */
export const MAX_HOOK_TIMEOUT_MS = 2_000

export const HookRequestSchema = strictObject({
  url: HttpUrl({ description: 'Receives {authorization} and responds with {approved}.' }),
  timeout_ms: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_HOOK_TIMEOUT_MS,
      description: `Default ${MAX_HOOK_TIMEOUT_MS}.`,
    }),
  ),
  on_silence: OneOf(HOOK_DECISIONS),
})
type HookRequest = Static<typeof HookRequestSchema>

export function hookSecretBinding(businessId: string): SealBinding {
  return { businessId, field: 'card_decision_hooks.sealed_secret' }
}

export const HOOK_SECRET: SecretHolder = {
  holder: 'decision_hook',
  bindingOf: hookSecretBinding,
  read: readSealedSecret,
  replace: replaceSealedSecret,
}

/**
 * Registers or changes the business's hook.
 * @throws 422 a URL with a private address
 */
export async function putHook(ctx: CardsContext, caller: Caller, request: HookRequest): Promise<ShownHook> {
  const param = 'decision_hook.url'
  const problem = ctx.egress.checkUrl(request.url)
  if (problem !== undefined) throw errors.hook_url_not_allowed({ param, message: `${param} ${problem}.` })
  return putWithSecret(ctx, caller, HOOK_SECRET, (tx, sealedSecret) =>
    saveHook(tx, {
      url: request.url,
      timeoutMs: request.timeout_ms ?? MAX_HOOK_TIMEOUT_MS,
      timeoutFallback: request.on_silence,
      sealedSecret,
      createdAt: tx.now,
    }),
  )
}

export async function getHook(ctx: CardsContext, caller: Caller): Promise<ShownHook> {
  const hook = await ctx.db.transact(caller.businessId, findHook)
  if (hook === undefined) throw errors.decision_hook_not_found()
  return hook
}

/** A hook call that has started still decides its authorization. @throws 404 */
export async function removeHook(ctx: CardsContext, caller: Caller): Promise<ShownHook> {
  const hook = await ctx.db.transact(caller.businessId, deleteHook)
  if (hook === undefined) throw errors.decision_hook_not_found()
  return hook
}
