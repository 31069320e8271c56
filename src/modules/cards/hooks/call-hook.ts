import { realNowMs, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { parseJson } from '#kernel/json'
import { messageHeaders, signatures, signingKeyOf } from '#platform/security/standard-webhooks'
import type { Authorization, HookDecision } from '../authorizations/authorization.ts'
import { hookSecretBinding } from './decision-hook.ts'
import type { DecisionHook } from '../storage/hook.repository.ts'
import type { CardsDependencies } from '../dependencies.ts'
import { renderAuthorization } from '../api/render.ts'

const MAX_RESPONSE_BYTES = 16 * 1024

/** `no_decision`: the hook timed out, failed, or sent a response without a decision. */
export type HookResult = HookDecision | 'no_decision'

/** Calls the decision hook, signed as Standard Webhooks define. Never rejects (reference/cards#decision-hook). */
export async function callDecisionHook(
  deps: CardsDependencies,
  businessId: string,
  hook: DecisionHook,
  authorization: Authorization,
): Promise<HookResult> {
  try {
    const body = Buffer.from(
      JSON.stringify({
        type: 'card.authorization.request',
        timestamp: toRfc3339(authorization.createdAt),
        authorization: renderAuthorization(authorization),
      }),
    )
    const secret = deps.keyring.open(hook.sealedSecret, hookSecretBinding(businessId))
    const response = await deps.egress.post({
      url: hook.url,
      headers: signedHeaders(secret, body),
      body,
      timeoutMs: hook.timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    })
    if (response.kind === 'unanswered' || response.status < 200 || response.status > 299) return 'no_decision'
    return parseDecision(response.text)
  } catch {
    return 'no_decision'
  }
}

function signedHeaders(secret: string, body: Buffer): Record<string, string> {
  const id = newId('msg')
  const timestamp = Math.floor(realNowMs() / 1_000)
  return {
    ...messageHeaders(id, timestamp),
    'webhook-signature': signatures([signingKeyOf(secret)], { id, timestamp, body }),
  }
}

function parseDecision(text: string): HookResult {
  const body = parseJson(text)
  if (body === null || typeof body !== 'object' || !('approved' in body)) return 'no_decision'
  if (body.approved === true) return 'approve'
  return body.approved === false ? 'decline' : 'no_decision'
}
