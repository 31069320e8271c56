import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MINUTE_MS } from '#kernel/time-units'
import { platformErrors } from '#platform/errors'
import type { Principal } from '#platform/http/authorization'

declare module 'fastify' {
  interface FastifyRequest {
    appKey: string
  }
}

/** Twice the limit may come at once (reference/access#rate-limits). */
const APP_WINDOW_SECONDS = 2

export interface RequestLimit {
  readonly max: number
  readonly windowMs?: number
  readonly keyOf?: (request: FastifyRequest) => string
  readonly message?: string
}

export type CountRequest = (request: FastifyRequest) => Promise<void>

export function registerRateLimits(app: FastifyInstance, isOff: boolean): void {
  app.decorateRequest('appKey', '')
  void app.register(rateLimit, { global: false, ...(isOff && { allowList: () => true }) })
}

export function createLimit(app: FastifyInstance, limit: RequestLimit): CountRequest {
  const { max, windowMs = MINUTE_MS, keyOf = ({ ip }) => addressKey(ip), message } = limit
  const count = app.createRateLimit({ max, timeWindow: windowMs, keyGenerator: keyOf })
  return async (request) => {
    const state = await count(request)
    if (state.isAllowed || !state.isExceeded) return
    const detail = message === undefined ? {} : { message }
    throw platformErrors.rate_limited({ ...detail, retryAfterSeconds: state.ttlInSeconds })
  }
}

export type LimitApp = (request: FastifyRequest, reply: FastifyReply, principal: Principal) => Promise<void>

/**
 * Limits each app to `RATE_LIMIT` requests a second, counted over two seconds. Test and live are counted separately.
 * The headers follow draft-ietf-httpapi-ratelimit-headers-10. `RateLimit-Policy: "app";q=1000;w=2` gives the requests of a window
 * and its seconds; `RateLimit: "app";r=998;t=1` gives those that remain and the seconds until the window ends.
 */
export function createAppLimit(app: FastifyInstance, perSecond: number): LimitApp {
  const max = perSecond * APP_WINDOW_SECONDS
  const policy = `"app";q=${max};w=${APP_WINDOW_SECONDS}`
  const count = app.createRateLimit({
    max,
    timeWindow: APP_WINDOW_SECONDS * 1_000,
    keyGenerator: ({ appKey }) => appKey,
  })
  return async (request, reply, { businessId, appId }) => {
    request.appKey = `${businessId} ${appId}`
    const state = await count(request)
    if (state.isAllowed) return
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"app";r=${state.remaining};t=${state.ttlInSeconds}`)
    if (state.isExceeded) throw platformErrors.rate_limited({ retryAfterSeconds: state.ttlInSeconds })
  }
}

/** Names a client by its address. An IPv6 client usually owns a whole /64 and could change its address with every request. */
export function addressKey(address: string): string {
  return normalizeIP(address)
}
