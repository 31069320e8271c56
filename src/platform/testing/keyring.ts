import { randomBytes } from 'node:crypto'
import { Keyring, ringKey } from '#platform/security/keyring'

export function createTestKeyring(key: Buffer = randomBytes(32)) {
  let keys = [ringKey(key)]
  const keyring = new Keyring({ keys: () => keys, refresh: () => {} })
  const rotateKeys = (): Keyring => {
    const newest = ringKey(randomBytes(32))
    keys = [newest, ...keys]
    return new Keyring({ keys: () => [newest], refresh: () => {} })
  }
  return { keyring, rotateKeys }
}
