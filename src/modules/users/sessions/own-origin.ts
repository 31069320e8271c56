import type { IncomingHttpHeaders } from 'node:http'
import { errors } from '../errors.ts'

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/
const SAFE_METHODS = new Set(['GET', 'HEAD'])

/**
 * The public URL, or the other name of this machine that the browser used. Passkeys need `localhost`, because an address
 * cannot own one.
 */
export function consoleBase(headers: IncomingHttpHeaders, publicUrl: string): string {
  const configured = new URL(publicUrl)
  const used = URL.parse(`${configured.protocol}//${headers.host ?? ''}`)
  if (used === null || !LOOPBACK.test(configured.hostname) || !LOOPBACK.test(used.hostname)) return publicUrl
  return used.origin + configured.pathname.replace(/(?<!\/)\/+$/, '')
}

export function requireOwnOrigin(method: string, headers: IncomingHttpHeaders, base: string): void {
  const site = headers['sec-fetch-site']
  const { origin } = headers
  if (site !== undefined && site !== 'same-origin')
    throw errors.cross_site_request({ param: 'Sec-Fetch-Site' })
  if (origin !== undefined && origin !== new URL(base).origin) {
    throw errors.cross_site_request({ param: 'Origin' })
  }
  // Over plain HTTP in a local network browsers omit both headers for GET. A GET with our own headers is not
  // cross-site even then, because browsers first ask whether the other site may send them. The link of a download
  // has no such headers: another site could begin a download, but would not see it.
  if (site === undefined && origin === undefined && !SAFE_METHODS.has(method)) {
    throw errors.cross_site_request({ param: 'Origin' })
  }
}
