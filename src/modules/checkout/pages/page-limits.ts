import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type CountRequest, createLimit } from '#platform/http/rate-limit'
import type { CheckoutDependencies } from '../dependencies.ts'

/** The limits of reference/pages#attempts. */
const FORMS_OF_LINK_A_MINUTE = 30
const FORMS_OF_ADDRESS_A_MINUTE = 300
/** Many payers can share one address. Each loads a page and four files, and may reload the result every five seconds. */
const REQUESTS_OF_ADDRESS_A_MINUTE = 3_000
/**
 * Our own forms have less than 5 kB, a form with Adyen's component about 10 kB, and anyone with a link can send one. A
 * body of 1 MB with half a million fields blocked the process for six seconds.
 */
const MAX_FORM_BYTES = 16 * 1024

/** Limits every page that is registered after this. */
export function limitPages(pages: FastifyInstance): void {
  pages.addHook('onRoute', (route) => {
    route.bodyLimit = MAX_FORM_BYTES
  })
  pages.addHook('onRequest', createLimit(pages, { max: REQUESTS_OF_ADDRESS_A_MINUTE }))
}

export function createFormLimit(
  pages: FastifyInstance,
  { links }: Pick<CheckoutDependencies, 'links'>,
): CountRequest {
  const message = 'Too many forms were sent to this page.'
  const linkOf = ({ params }: FastifyRequest) => links.read('payment', (params as { token: string }).token)
  const keyOf = (request: FastifyRequest) => {
    const link = linkOf(request)
    return `${link?.businessId} ${link?.id}`
  }
  const countAddress = createLimit(pages, { max: FORMS_OF_ADDRESS_A_MINUTE, message })
  const countLink = createLimit(pages, { max: FORMS_OF_LINK_A_MINUTE, keyOf, message })
  return async (request) => {
    await countAddress(request)
    if (linkOf(request) !== null) await countLink(request)
  }
}
