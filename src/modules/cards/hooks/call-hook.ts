import { realNowMs, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { parseJson } from '#kernel/json'
import { messageHeaders, signatures, signingKeyOf } from '#platform/security/standard-webhooks'
import type { Authorization, HookDecision } from '../model/authorization.ts'
import { hookSecretBinding } from './decision-hook.ts'
import type { DecisionHook } from '../model/decision-hook.ts'
import type { CardsContext } from '../context.ts'

const MAX_RESPONSE_BYTES = 16 * 1024

export type HookResult = HookDecision | 'timeout' | 'error'

/** Calls the decision hook, signed as Standard Webhooks define. Never rejects (reference/cards#decision-hook). */
export async function callDecisionHook(
  ctx: CardsContext,
  businessId: string,
  hook: DecisionHook,
  authorization: Authorization,
): Promise<HookResult> {
  try {
    const body = Buffer.from(
      JSON.stringify({
        type: 'card.authorization.request',
        timestamp: toRfc3339(authorization.createdAt),
        ...ctx.present.authorization(authorization),
      }),
    )
    const secret = ctx.keyring.open(hook.sealedSecret, hookSecretBinding(businessId))
    const response = await ctx.egress.post({
      url: hook.url,
      headers: signedHeaders(secret, body),
      body,
      timeoutMs: hook.timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    })
    if (response.kind === 'unanswered') return response.problem === 'timeout' ? 'timeout' : 'error'
    return response.status < 200 || response.status > 299 ? 'error' : parseDecision(response.text)
  } catch {
    return 'error'
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
  if (body === null || typeof body !== 'object' || !('approved' in body)) return 'error'
  if (body.approved === true) return 'approve'
  return body.approved === false ? 'decline' : 'error'
}
