import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/

/**
 * Keeps the entries of X-Forwarded-For after the last one that is not an address. A client may send any text, and Fastify would
 * use it as the client's address.
 */
export function keepAddresses(headers: IncomingHttpHeaders): void {
  const header = headers['x-forwarded-for']
  if (header === undefined) return
  const entries = String(header).split(',').map(addressOf)
  const kept = entries.slice(entries.lastIndexOf(undefined) + 1)
  if (kept.length > 0) headers['x-forwarded-for'] = kept.join(', ')
  else delete headers['x-forwarded-for']
}

function addressOf(entry: string): string | undefined {
  const text = entry.trim()
  const [, bracketed, beforePort] = WITH_PORT.exec(text) ?? []
  const address = bracketed ?? beforePort ?? text
  return isIP(address) === 0 || address.includes('%') ? undefined : address
}
