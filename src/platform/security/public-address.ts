import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * False for private, loopback, link-local (cloud metadata), shared, reserved and multicast addresses, and for every IPv6 form
 * that embeds an IPv4 address (mapped, NAT64, 6to4, Teredo), because it could embed one of those.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js would also accept 1.2.3.
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  // Only 2000::/3 is assigned (RFC 4291), but ipaddr.js reports all other space as unicast too.
  return parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 1
}

/**
 * The IP literal of a parsed URL's host, if it is one. The URL parser has already normalized every notation of IPv4 (decimal,
 * octal, hexadecimal, short, full-width).
 */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}

/** Names that always mean this machine (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/(?<!\.)\.+$/, '')
  return name === 'localhost' || name.endsWith('.localhost')
}
