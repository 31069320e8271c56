import type { FastifyInstance } from 'fastify'
import { createLimit } from '#platform/http/rate-limit'
import type { Acquirers } from '../acquirers.ts'
import { errors } from '../errors.ts'

/** The bound of reference/acquirers#notices. */
const MAX_BYTES = 256 * 1024
const PER_ADDRESS = {
  max: 1_000,
  windowMs: 10_000,
  message: 'Too many messages were sent from this address.',
}

/** Adyen counts a message as delivered by this text; Stripe looks at the status only. */
const ACCEPTED = '[accepted]'

interface NoticePath {
  readonly business_id: string
  readonly account_id: string
}

export function noticeRoutes(acquirers: Pick<Acquirers, 'receiveNotices'>): (app: FastifyInstance) => void {
  return (app) => {
    app.post<{ Params: NoticePath }>(
      '/acquirer_webhooks/:business_id/:account_id',
      { bodyLimit: MAX_BYTES, onRequest: createLimit(app, PER_ADDRESS) },
      async (request, reply) => {
        const { business_id: businessId, account_id: accountId } = request.params
        if (!isId(businessId, 'biz') || !isId(accountId, 'acc')) throw errors.acquirer_account_not_found()
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        await acquirers.receiveNotices(businessId, accountId, body, request.headers)
        return reply.type('text/plain; charset=utf-8').send(ACCEPTED)
      },
    )
  }
}

function isId(text: string, prefix: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[a-z]+_[0-9a-z]{26}$/.test(text)
}
