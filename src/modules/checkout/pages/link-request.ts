import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LinkPurpose } from '#platform/security/links'
import { WORDS } from '../words/all-words.ts'
import type { Language } from '../words/language.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import { languageFor } from './request.ts'
import type { Words } from '../words/words.ts'

/** What every page is rendered with. */
export interface PageContext {
  readonly language: Language
  readonly words: Words
  /** The path of PUBLIC_URL, which our own paths start with in the browser. */
  readonly basePath: string
  /** The page's own path in the browser. */
  readonly path: string
}

/** A request to a signed link. Its signature is not checked yet. */
export interface LinkRequest extends PageContext {
  readonly deps: CheckoutDependencies
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The last part of the link's path. */
  readonly token: string
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Returns a function that turns page functions into route handlers. */
export function pageHandler(
  deps: CheckoutDependencies,
  purpose: LinkPurpose,
): (page: (link: LinkRequest) => Promise<FastifyReply>) => RouteHandler {
  return (page) => (request, reply) => {
    const { token } = request.params as { token: string }
    const language = languageFor(request)
    return page({
      deps,
      request,
      reply,
      token,
      language,
      words: WORDS[language],
      basePath: deps.links.basePath,
      path: deps.links.pathOf(purpose, token),
    })
  }
}
