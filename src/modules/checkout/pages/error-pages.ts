import type { FastifyInstance } from 'fastify'
import { wordsOf } from '../words/all-words.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import { renderMessage } from './page.ts'
import { languageFor, wantsHtml } from './request.ts'
import type { Words } from '../words/words.ts'

export function registerErrorPages(
  pages: FastifyInstance,
  { links }: { readonly links: Pick<CheckoutDependencies['links'], 'basePath'> },
): void {
  pages.addHook('onSend', async (request, reply, payload) => {
    const type = reply.getHeader('content-type')
    const isEnvelope = typeof type === 'string' && type.startsWith('application/json')
    if (reply.statusCode < 400 || !isEnvelope || !wantsHtml(request)) return payload
    const language = languageFor(request)
    reply.removeHeader('content-length')
    reply.type('text/html; charset=utf-8')
    const { basePath } = links
    // A payer may be waiting for the result of a payment while the database restarts.
    const reloadFrom = reply.statusCode === 503 && request.method === 'GET' ? basePath + request.url : null
    return renderMessage({ language, basePath, reloadFrom }, messageFor(reply.statusCode, wordsOf(language)))
  })
}

function messageFor(status: number, words: Words): { title: string; text: string } {
  // To a customer, what the business does not allow is not there.
  if (status === 403 || status === 404) return { title: words.notFoundTitle, text: words.notFoundText }
  if (status === 410) return { title: words.linkOldTitle, text: words.linkOldText }
  if (status === 429) return { title: words.tooManyRequestsTitle, text: words.tooManyRequestsText }
  return { title: words.unavailableTitle, text: words.unavailableText }
}
