import { newId } from '#kernel/ids'

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/

export function requestIdOf(request: {
  readonly headers: Record<string, string | string[] | undefined>
}): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && WELL_FORMED.test(sent) ? sent : newId('req')
}
