import type { IncomingMessage } from 'node:http'

const ADDRESS = /^\/console\/downloads\/([^/?]+)\/(test|live)(\/svc\/.*)$/

/**
 * The address that a request asks for. `/console/downloads/{business}/{environment}/svc/…` asks for the rest, a list as CSV: a browser
 * follows a link without the headers of the console's other requests, so its address has what they say
 * (reference/console#downloads).
 */
export function resolveDownload({ method, url = '/', headers }: IncomingMessage): string {
  const [, code = '', environment = '', path] =
    method === 'GET' && url.startsWith('/console/downloads/') ? (ADDRESS.exec(url) ?? []) : []
  if (path === undefined) return url
  headers['x-p-customer-code'] = code
  headers['quittance-environment'] = environment
  headers.accept = 'text/csv'
  return path
}
