import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fetch } from 'undici'
import { platformErrors } from '#platform/errors'
import { errors } from '../errors.ts'

/** Below the public URL, so that payers need no way to the simulator itself. */
const PREFIX = '/simulator'
/** What an operation is keyed by: the id of a transaction, or the UUID of a verification. */
const KEY = /^[\w-]{1,64}$/
const TIMEOUT_MS = 5_000

export function payerPageUrl(publicUrl: string, page: string): string {
  return publicUrl + PREFIX + new URL(page).pathname
}

export function simulatorPages(simulatorUrl: string): (app: FastifyInstance) => void {
  const forward = async (
    { headers }: Pick<FastifyRequest, 'headers'>,
    { method, key, verb }: { method: 'GET' | 'POST'; key: string; verb: string },
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    if (!KEY.test(key)) throw errors.simulator_page_not_found()
    const response = await fetch(`${simulatorUrl}/payments/${key}/${verb}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(headers['accept-language'] !== undefined && { 'accept-language': headers['accept-language'] }),
      },
    }).catch(() => {
      throw platformErrors.unavailable()
    })
    const body = await response.text()
    for (const name of ['content-type', 'content-security-policy', 'location']) {
      const value = response.headers.get(name)
      if (value !== null) reply.header(name, value)
    }
    return reply.header('vary', 'accept-language').code(response.status).send(body)
  }
  return (app) => {
    app.get<{ Params: { key: string } }>(`${PREFIX}/payments/:key/page`, (request, reply) =>
      forward(request, { method: 'GET', key: request.params.key, verb: 'page' }, reply),
    )
    for (const verb of ['confirm', 'decline']) {
      app.post<{ Params: { key: string } }>(
        `${PREFIX}/payments/:key/${verb}`,
        { bodyLimit: 1024 },
        (request, reply) => forward(request, { method: 'POST', key: request.params.key, verb }, reply),
      )
    }
  }
}
