import { randomBytes } from 'node:crypto'
import { Keyring, ringKey } from '#platform/security/keyring'

/** A ring of one key, the given one or a random one. */
export function createTestKeyring(key: Buffer = randomBytes(32)) {
  let keys = [ringKey(key)]
  const keyring = new Keyring({ keys: () => keys, refresh: () => {} })
  /** Puts a new key in front; answers a ring that has only that one. */
  const rotateKeys = (): Keyring => {
    const newest = ringKey(randomBytes(32))
    keys = [newest, ...keys]
    return new Keyring({ keys: () => [newest], refresh: () => {} })
  }
  return { keyring, rotateKeys }
}
