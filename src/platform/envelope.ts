import type { RequestError } from '#kernel/errors'

/** The JSON text of every reply. It knows nothing of HTTP, because stored replies of idempotent requests are made here too. */

export const JSON_UTF8 = 'application/json; charset=utf-8'

export class SuccessWithMessage<Data extends object = object> {
  readonly message: string
  readonly data: Data

  constructor(message: string, data: Data) {
    this.message = message
    this.data = data
  }
}

export function successEnvelope(data: object): string {
  if (data instanceof SuccessWithMessage) {
    return `{"code":200,"message":${JSON.stringify(data.message)},"data":${JSON.stringify(data.data)}}`
  }
  return `{"code":200,"message":"succeed","data":${JSON.stringify(data)}}`
}

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
