import { createHash } from 'node:crypto'

/** The host of a URL and a hash of the whole URL, so that the URLs of one host sort together. */
export function receiverKey(url: string): string {
  const { host, href } = new URL(url)
  return `${host} ${createHash('sha256').update(href).digest('base64url').slice(0, 22)}`
}

export function hostOf(receiver: string): string {
  return receiver.slice(0, receiver.indexOf(' '))
}
