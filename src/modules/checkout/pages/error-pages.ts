import type { FastifyInstance } from 'fastify'
import { WORDS } from '../words/all-words.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import { renderMessage } from './page.ts'
import { languageFor, wantsHtml } from './request.ts'
import type { Words } from '../words/words.ts'

/**
 * Errors of these routes are thrown, counted and logged as everywhere; a browser is shown a page where a program gets
 * the envelope.
 */
export function registerErrorPages(pages: FastifyInstance, { links }: CheckoutDependencies): void {
  pages.addHook('onSend', async (request, reply, payload) => {
    const type = reply.getHeader('content-type')
    const isEnvelope = typeof type === 'string' && type.startsWith('application/json')
    if (reply.statusCode < 400 || !isEnvelope || !wantsHtml(request)) return payload
    const language = languageFor(request)
    reply.removeHeader('content-length')
    reply.type('text/html; charset=utf-8')
    const { basePath } = links
    return renderMessage({ language, basePath }, messageFor(reply.statusCode, WORDS[language]))
  })
}

function messageFor(status: number, words: Words): { title: string; text: string } {
  if (status === 404) return { title: words.notFoundTitle, text: words.notFoundText }
  if (status === 410) return { title: words.linkOldTitle, text: words.linkOldText }
  return { title: words.unavailableTitle, text: words.unavailableText }
}
