import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { UsersDependencies } from '../dependencies.ts'
import { json } from './session-routes.ts'
import type { Visitors } from './visitor.ts'

const PATH = '/console/api/audit_entries'

export function registerOperatorRoutes(
  app: FastifyInstance,
  { operatorLog }: UsersDependencies,
  { operatorOf }: Visitors,
): void {
  app.get<{ Querystring: Record<string, unknown> }>(PATH, async (request, reply) => {
    await operatorOf(request)
    return json(reply, await operatorLog.page(request.query))
  })

  app.get(`${PATH}/export.csv`, async (request, reply) => {
    await operatorOf(request)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="operators-log.csv"')
      .send(Readable.from(operatorLog.export()))
  })
}
