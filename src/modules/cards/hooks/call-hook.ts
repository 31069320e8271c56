import { realNowMs, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { parseJson } from '#kernel/json'
import { messageHeaders, signatures, signingKeyOf } from '#platform/security/standard-webhooks'
import type { Authorization } from '../authorizations/authorization.ts'
import { hookSecretBinding } from './decision-hook.ts'
import type { DecisionHook } from '../storage/hook.repository.ts'
import type { CardsDependencies } from '../dependencies.ts'
import { renderAuthorization } from '../api/render.ts'

/** `{"approved":true}` and some members that nobody asked for. */
const MAX_RESPONSE_BYTES = 16 * 1024

/**
 * Asks the business whether it approves; its silence, an error or an answer that is none means what was configured.
 * Signed as webhooks are (Standard Webhooks). Never throws.
 */
export async function callDecisionHook(
  deps: CardsDependencies,
  businessId: string,
  hook: DecisionHook,
  authorization: Authorization,
): Promise<boolean> {
  const silence = hook.timeoutFallback === 'approve'
  try {
    const body = Buffer.from(
      JSON.stringify({
        type: 'card.authorization.request',
        timestamp: toRfc3339(authorization.createdAt),
        authorization: renderAuthorization(authorization),
      }),
    )
    const secret = deps.keyring.open(hook.sealedSecret, hookSecretBinding(businessId))
    const answer = await deps.egress.post({
      url: hook.url,
      headers: signedHeaders(secret, body),
      body,
      timeoutMs: hook.timeoutMs,
      mostAnswerBytes: MAX_RESPONSE_BYTES,
    })
    if (answer.kind === 'unanswered' || answer.status < 200 || answer.status > 299) return silence
    return parseDecision(answer.text) ?? silence
  } catch {
    return silence
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

/** `{approved: true}` or `{approved: false}`; undefined for anything else. */
function parseDecision(body: string): boolean | undefined {
  const answer = parseJson(body)
  if (answer === null || typeof answer !== 'object' || !('approved' in answer)) return undefined
  return typeof answer.approved === 'boolean' ? answer.approved : undefined
}
