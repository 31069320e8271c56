import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Which addresses callers may make us talk to. Whatever is not plainly public is refused: private,
 * loopback, link-local (cloud metadata), shared, reserved, multicast, and every IPv6 form that carries
 * an IPv4 address (mapped, NAT64, 6to4, Teredo), since it could carry one of those.
 */
export function isPublicAddress(address: string): boolean {
  // The library also reads 1.2.3 as an address.
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  // Only 2000::/3 is handed out (RFC 4291); the library calls unassigned space unicast too.
  return parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 1
}

/**
 * The address when the host of a parsed URL is an IP literal. The URL parser has turned every way of
 * writing IPv4 (decimal, octal, hexadecimal, short, full-width) into four decimal numbers by then.
 */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}

/** Names that mean this machine whatever the DNS says (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '')
  return name === 'localhost' || name.endsWith('.localhost')
}
