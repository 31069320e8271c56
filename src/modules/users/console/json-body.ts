import type { FastifyRequest } from 'fastify'
import { platformErrors } from '#platform/errors'
import { firstUnstorable, UNSTORABLE } from '#platform/http/validation/strings'
import { isJsonObject, type JsonObject, parseJson } from '../model/json-object.ts'

export function readJsonBody(request: FastifyRequest): JsonObject {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  if (raw.length === 0) return {}
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw platformErrors.unsupported_media_type({ param: 'content-type' })
  }
  const body = parseJson(raw.toString('utf8'))
  if (!isJsonObject(body)) throw platformErrors.malformed_json()
  const param = firstUnstorable(body)
  if (param === '') throw platformErrors.body_invalid()
  if (param !== undefined) throw platformErrors.invalid_member({ param, message: `${param} ${UNSTORABLE}.` })
  return body
}
