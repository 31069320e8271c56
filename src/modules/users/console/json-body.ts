import type { FastifyRequest } from 'fastify'
import { platformErrors } from '#platform/errors'
import { firstUnstorable, UNSTORABLE } from '#platform/http/validation/strings'

export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

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
