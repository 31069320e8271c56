import type { FastifyInstance, FastifyRequest } from 'fastify'
import { platformErrors } from '#platform/errors'
import { addressKey, RateLimiter } from '#platform/http/rate-limit'
import type { Acquirers } from '../acquirers.ts'
import { errors } from '../errors.ts'

const MAX_BYTES = 256 * 1024
const PER_ADDRESS_A_SECOND = 100
const BURST_SECONDS = 10

/** Adyen counts a message as delivered by this text; Stripe looks at the status only. */
const ACCEPTED = '[accepted]'

interface NoticePath {
  readonly business_id: string
  readonly account_id: string
}

export function noticeRoutes(
  acquirers: Pick<Acquirers, 'receiveNotices'>,
  { limitsPosts }: { readonly limitsPosts: boolean },
): (app: FastifyInstance) => void {
  const limiter = new RateLimiter(PER_ADDRESS_A_SECOND, undefined, BURST_SECONDS)
  const limit = async (request: FastifyRequest): Promise<void> => {
    if (!limitsPosts) return
    const { allowed, retryAfterSeconds } = limiter.take(addressKey(request.ip))
    if (allowed) return
    const message = 'Too many messages were sent from this address.'
    throw platformErrors.rate_limited({ retryAfterSeconds, message })
  }
  return (app) => {
    app.post<{ Params: NoticePath }>(
      '/acquirer_webhooks/:business_id/:account_id',
      { bodyLimit: MAX_BYTES, onRequest: limit },
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
