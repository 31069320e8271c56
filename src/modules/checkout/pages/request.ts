import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentPolicy, type Origins } from './content-policy.ts'
import { chooseLanguage, type Language } from '../words/language.ts'

export function wantsHtml(request: FastifyRequest): boolean {
  return !/\bapplication\/json\b/.test(request.headers.accept ?? '')
}

export function languageFor(request: FastifyRequest): Language {
  return chooseLanguage(queryOf(request, 'lang'), request.headers['accept-language'])
}

export function queryOf(request: FastifyRequest, name: string): string | undefined {
  const value: unknown = (request.query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : undefined
}

export function formOf(request: FastifyRequest): ReadonlyMap<string, string> {
  const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return new Map(new URLSearchParams(body))
  }
  try {
    const members: unknown = JSON.parse(body)
    if (typeof members !== 'object' || members === null) return new Map()
    return new Map(Object.entries(members).filter(isText))
  } catch {
    return new Map()
  }
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string'
}

export function sendPage(reply: FastifyReply, document: string, origins: Origins = {}): FastifyReply {
  return reply
    .header('content-security-policy', contentPolicy(origins))
    .type('text/html; charset=utf-8')
    .header('vary', 'accept, accept-language')
    .send(document)
}
