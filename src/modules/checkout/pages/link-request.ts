import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LinkPurpose } from '#platform/security/links'
import { WORDS } from '../words/all-words.ts'
import type { Language } from '../words/language.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import { languageFor } from './request.ts'
import type { Words } from '../words/words.ts'

/** What a page is drawn with, whatever it shows. */
export interface PageFrame {
  readonly language: Language
  readonly words: Words
  /** What our own paths begin with in the browser (see `Links`). */
  readonly basePath: string
  /** The page's own path, as the browser has it. */
  readonly path: string
}

/** A request for what is behind a link, which may be none of ours. */
export interface Visit extends PageFrame {
  readonly deps: CheckoutDependencies
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The last part of the link's path. */
  readonly token: string
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Makes handlers of routes behind links of this purpose. */
export function visitsOf(
  deps: CheckoutDependencies,
  purpose: LinkPurpose,
): (answer: (visit: Visit) => Promise<FastifyReply>) => Handler {
  return (answer) => (request, reply) => {
    const { token } = request.params as { token: string }
    const language = languageFor(request)
    return answer({
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
