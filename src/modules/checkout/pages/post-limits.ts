import type { FastifyRequest } from 'fastify'
import { platformErrors } from '#platform/errors'
import { addressKey, RateLimiter } from '#platform/http/rate-limit'
import type { LinkPurpose } from '#platform/security/links'
import type { CheckoutDependencies } from '../dependencies.ts'

/** A payer who corrects a form or changes cards sends a few forms a minute. */
const PER_LINK_A_MINUTE = 30
/** Many payers of an office, a shop or a mobile network can share one address. */
const PER_ADDRESS_A_MINUTE = 300
const WINDOW_SECONDS = 60

export type LimitPosts = (purpose: LinkPurpose) => (request: FastifyRequest) => Promise<void>

/**
 * Limits the POSTs of pages, which need no API key, for each link and each client address. The counts are per process, as
 * those of API requests are. A refused request is not read.
 */
export function createPostLimits({ links, limitsPosts }: CheckoutDependencies): LimitPosts {
  const perLink = new RateLimiter(PER_LINK_A_MINUTE / WINDOW_SECONDS, undefined, WINDOW_SECONDS)
  const perAddress = new RateLimiter(PER_ADDRESS_A_MINUTE / WINDOW_SECONDS, undefined, WINDOW_SECONDS)
  return (purpose) => async (request) => {
    if (!limitsPosts) return
    const { token } = request.params as { token: string }
    const link = links.read(purpose, token)
    take(perAddress, addressKey(request.ip))
    if (link !== null) take(perLink, `${purpose} ${link.businessId} ${link.id}`)
  }
}

function take(limiter: RateLimiter, key: string): void {
  const { allowed, retryAfterSeconds } = limiter.take(key)
  if (allowed) return
  const message = 'Too many forms were sent to this page.'
  throw platformErrors.rate_limited({ retryAfterSeconds, message })
}
