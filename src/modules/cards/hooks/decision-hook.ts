import type { Caller } from '#platform/caller'
import type { SealBinding } from '#platform/security/keyring'
import { onceShowingSecret } from '#platform/idempotency/shown-secret'
import { newSigningSecret } from '#platform/security/standard-webhooks'
import type { HookDecision } from '../authorizations/authorization.ts'
import { errors } from '../api/errors.ts'
import {
  type DecisionHook,
  deleteHook,
  findHook,
  readSealedSecret,
  saveHook,
} from '../storage/hook.repository.ts'
import type { CardsDependencies } from '../dependencies.ts'

export interface HookRequest {
  readonly url: string
  readonly timeout_ms?: number
  readonly on_silence: HookDecision
}

export const MAX_HOOK_TIMEOUT_MS = 2_000

export function hookSecretBinding(businessId: string): SealBinding {
  return { businessId, field: 'card_decision_hooks.sealed_secret' }
}

/**
 * Registers or changes the business's hook. The first registration creates and shows the secret; a change keeps it.
 * @throws 422 a URL with a private address
 */
export async function putHook(
  deps: CardsDependencies,
  caller: Caller,
  request: HookRequest,
): Promise<{ decision_hook: object }> {
  const param = 'decision_hook.url'
  const problem = deps.egress.checkUrl(request.url)
  if (problem !== undefined) throw errors.hook_url_not_allowed({ param, message: `${param} ${problem}.` })
  const currentSecret = () => readSecret(deps, caller.businessId)
  return onceShowingSecret(deps.db, caller, currentSecret, async (tx) => {
    const secret = newSigningSecret()
    const sealedSecret = deps.keyring.seal(secret, hookSecretBinding(tx.businessId))
    const saved = await saveHook(tx, {
      url: request.url,
      timeoutMs: request.timeout_ms ?? MAX_HOOK_TIMEOUT_MS,
      timeoutFallback: request.on_silence,
      sealedSecret,
      createdAt: tx.now,
    })
    if (saved === null) throw new Error('the hook was not saved')
    return {
      holder: 'decision_hook',
      secret: saved.sealedSecret === sealedSecret ? secret : undefined,
      render: (shown) => ({ decision_hook: renderHook(saved, shown) }),
    }
  })
}

async function readSecret(deps: CardsDependencies, businessId: string): Promise<string> {
  const sealed = await readSealedSecret(deps.db, businessId)
  return sealed === null ? '' : deps.keyring.open(sealed, hookSecretBinding(businessId))
}

export async function getHook(deps: CardsDependencies, caller: Caller): Promise<{ decision_hook: object }> {
  const hook = await deps.db.transact(caller.businessId, findHook)
  if (hook === null) throw errors.decision_hook_not_found()
  return { decision_hook: renderHook(hook) }
}

/** A hook call that has started still decides its authorization. @throws 404 */
export async function removeHook(
  deps: CardsDependencies,
  caller: Caller,
): Promise<{ decision_hook: object }> {
  const hook = await deps.db.transact(caller.businessId, deleteHook)
  if (hook === null) throw errors.decision_hook_not_found()
  return { decision_hook: renderHook(hook) }
}

function renderHook(hook: DecisionHook, secret?: string): object {
  return {
    url: hook.url,
    timeout_ms: hook.timeoutMs,
    on_silence: hook.timeoutFallback,
    ...(secret !== undefined && { secret }),
  }
}
