import type { FastifyInstance } from 'fastify'
import { JSON_UTF8, successEnvelope } from '#platform/envelope'
import { platformErrors } from '#platform/errors'
import type { Metrics } from '#platform/observability/metrics'

interface HealthOptions {
  readonly isReady: () => Promise<boolean>
  readonly metrics: Metrics
}

export function registerHealth(app: FastifyInstance, options: HealthOptions): void {
  app.get('/healthz', async (_request, reply) =>
    reply.type(JSON_UTF8).send(successEnvelope({ status: 'ok' })),
  )

  app.get('/readyz', async (_request, reply) => {
    const ready = await options.isReady().catch(() => false)
    if (!ready)
      throw platformErrors.unavailable({ message: 'The service is not ready.', retryAfterSeconds: 1 })
    return reply.type(JSON_UTF8).send(successEnvelope({ status: 'ready' }))
  })

  app.get('/metrics', async (_request, reply) => {
    reply.type(options.metrics.registry.contentType)
    return options.metrics.registry.metrics()
  })
}
