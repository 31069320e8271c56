import type { FastifyInstance } from 'fastify'
import { realClock } from '#kernel/clock'
import { createLimit } from '#platform/http/rate-limit'
import type { Database } from '#platform/postgres/database'
import { LEASE_MS } from '../port/lease.ts'
import { servedContent } from '../storage/domain-file.repository.ts'

const PATH = '/.well-known/apple-developer-merchantid-domain-association'
const PER_ADDRESS = {
  max: 100,
  windowMs: 10_000,
  message: 'The file was asked for too often from this address.',
}

export function domainFilePage(db: Pick<Database, 'shared'>): (app: FastifyInstance) => void {
  return (app) => {
    app.get(PATH, { onRequest: createLimit(app, PER_ADDRESS) }, async (_request, reply) => {
      const content = await servedContent(db.shared, realClock.now().subtract({ milliseconds: LEASE_MS }))
      if (content === undefined) return reply.callNotFound()
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(content)
    })
  }
}
