import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '#platform/http/html'
import { createLimit } from '#platform/http/rate-limit'
import { PAGE_HEADERS } from '#platform/http/page-headers'
import type { MessagesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { languageOfMessage, unsubscribe } from '../suppressions/suppressions.ts'
import { UNSUBSCRIBE_WORDS, type UnsubscribeWords } from './words.ts'

const REQUESTS_OF_ADDRESS_A_MINUTE = 300

/**
 * The page behind List-Unsubscribe. Scanners open links, so opening it shows a button; only its POST, which mail programs send
 * by themselves (RFC 8058), unsubscribes. An old link still works: nobody should get mails because of it.
 */
export function unsubscribePages(ctx: MessagesContext): (app: FastifyInstance) => void {
  return (app) => {
    void app.register(async (pages) => {
      pages.addHook('onRequest', createLimit(pages, { max: REQUESTS_OF_ADDRESS_A_MINUTE }))
      pages.get('/unsubscribe/:token', async (request, reply) => {
        const link = linkOf(ctx, request)
        const language = await languageOfMessage(ctx, link.businessId, link.id)
        return send(reply, language, (words) => ({
          title: words.question,
          body: html`<form method="post"><button type="submit">${words.button}</button></form>`,
        }))
      })
      pages.post('/unsubscribe/:token', async (request, reply) => {
        const link = linkOf(ctx, request)
        const language = await languageOfMessage(ctx, link.businessId, link.id)
        await unsubscribe(ctx, link.businessId, link.id)
        return send(reply, language, (words) => ({ title: words.done, body: html`` }))
      })
    })
  }
}

function linkOf({ links }: MessagesContext, request: FastifyRequest) {
  const { token } = request.params as { readonly token: string }
  const link = links.read('unsubscribe', token)
  if (link === null) throw errors.message_not_found()
  return link
}

function send(
  reply: FastifyReply,
  language: string,
  say: (words: UnsubscribeWords) => { readonly title: string; readonly body: ReturnType<typeof html> },
): FastifyReply {
  const known = UNSUBSCRIBE_WORDS[language]
  const words = known ?? UNSUBSCRIBE_WORDS['en']
  if (words === undefined) throw new Error('the page has no words')
  const { title, body } = say(words)
  const shown = known === undefined ? 'en' : language
  const document = html`<!doctype html>
    <html lang="${shown}" dir="${shown === 'ar' ? 'rtl' : 'ltr'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
      </head>
      <body
        style="font-family: system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem; text-align: center"
      >
        <main>
          <h1 style="font-size: 1.4rem">${title}</h1>
          ${body}
        </main>
      </body>
    </html>`
  return reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(document.text)
}
