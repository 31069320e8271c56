import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LinkPurpose } from '#platform/security/links'
import { wordsOf } from '../words/all-words.ts'
import type { Language } from '../words/language.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import { languageFor } from './request.ts'
import type { Words } from '../words/words.ts'

export interface PageContext {
  readonly language: Language
  readonly words: Words
  readonly basePath: string
  readonly path: string
}

export interface LinkRequest extends PageContext {
  readonly deps: CheckoutDependencies
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly token: string
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

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
      words: wordsOf(language),
      basePath: deps.links.basePath,
      path: deps.links.pathOf(purpose, token),
    })
  }
}
