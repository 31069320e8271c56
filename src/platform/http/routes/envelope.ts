import type { RequestError } from '#kernel/errors'
import { HttpReply } from '#platform/http/routes/route'

export const JSON_UTF8 = 'application/json; charset=utf-8'

/**
 * The envelope of a success as JSON text: `{code: 200, message, data}`. Numbers made by
 * `kernel/json.rawNumber` keep their digits.
 * @param data the payload, or an `Answer` when the message is not "succeed"
 */
export function successEnvelope(data: object): string {
  if (data instanceof HttpReply) {
    return `{"code":200,"message":${JSON.stringify(data.message)},"data":${JSON.stringify(data.data)}}`
  }
  return `{"code":200,"message":"succeed","data":${JSON.stringify(data)}}`
}

/**
 * The envelope of a failure as JSON text (decisions, section 1): `{code, message, data: {error,
 * …detail.data}}`. Kept answers of idempotent requests are made by it too, so that they are the
 * bytes that were sent.
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
