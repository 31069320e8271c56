import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type CountRequest, createLimit } from '#platform/http/rate-limit'
import type { CheckoutDependencies } from '../dependencies.ts'

/** The limits of reference/pages#attempts. */
const FORMS_OF_LINK_A_MINUTE = 30
const FORMS_OF_ADDRESS_A_MINUTE = 300
/** Many payers can share one address. Each loads a page and four files, and may reload the result every five seconds. */
const REQUESTS_OF_ADDRESS_A_MINUTE = 3_000

export function limitPages(pages: FastifyInstance): void {
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
