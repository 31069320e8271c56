import type { RequestError } from '#kernel/errors'
import { HttpReply } from '#platform/http/routes/route'

export const JSON_UTF8 = 'application/json; charset=utf-8'

/**
 * Writes `{code: 200, message, data}`. Numbers from `rawNumber` keep their digits.
 * @param data the payload, or an `HttpReply` for another message than "succeed"
 */
export function successEnvelope(data: object): string {
  if (data instanceof HttpReply) {
    return `{"code":200,"message":${JSON.stringify(data.message)},"data":${JSON.stringify(data.data)}}`
  }
  return `{"code":200,"message":"succeed","data":${JSON.stringify(data)}}`
}

/**
 * Writes `{code, message, data: {error, …detail.data}}`. Stored replies of idempotent requests are written
 * here too, so that a replay sends the same bytes.
 */
export function errorEnvelope(error: RequestError, requestId: string): string {
  return JSON.stringify({
    code: error.code,
    message: error.message,
    data: {
      ...error.detail.data,
      error: {
        type: error.definition.type,
        reason: error.reason,
        param: error.detail.param,
        decline_code: error.detail.declineCode,
        recommended_action: error.definition.recommendedAction,
        request_id: requestId,
      },
    },
  })
}
