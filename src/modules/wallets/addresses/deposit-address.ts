import { ECDH } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { LRUCache } from 'lru-cache'
import { addressOfPublicKey } from '../model/address.ts'

const VERSIONS = {
  xpub: { public: 0x0488b21e, private: 0x0488ade4 },
  tpub: { public: 0x043587cf, private: 0x04358394 },
} as const
/** Indexes from here on are hardened and cannot be derived from a public key. */
const FIRST_HARDENED_INDEX = 0x80000000
const MAX_CACHED_TENANTS = 1_000

/** The message is for the operator and quotes no part of the key. */
export class InvalidExtendedKey extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidExtendedKey'
  }
}

export class AddressDeriver {
  readonly #root: HDKey
  readonly #tenantKeys = new LRUCache<number, HDKey>({ max: MAX_CACHED_TENANTS })

  constructor(extendedPublicKey: string) {
    this.#root = readExtendedPublicKey(extendedPublicKey)
  }

  addressOf(tenantNumber: number, walletNumber: number): string {
    const { publicKey } = this.#tenantKey(tenantNumber).deriveChild(checkedIndex(walletNumber))
    if (publicKey === null) throw new Error('a derived key has no public part')
    const uncompressed = ECDH.convertKey(publicKey, 'secp256k1', undefined, 'hex', 'uncompressed')
    return addressOfPublicKey(Buffer.from(uncompressed, 'hex'))
  }

  #tenantKey(number: number): HDKey {
    const cached = this.#tenantKeys.get(number)
    if (cached !== undefined) return cached
    const key = this.#root.deriveChild(checkedIndex(number))
    this.#tenantKeys.set(number, key)
    return key
  }
}

function readExtendedPublicKey(text: string): HDKey {
  if (/^[a-zA-Z]prv/.test(text)) {
    throw new InvalidExtendedKey(
      'WALLET_XPUB holds an extended private key; give the extended public key, because no private key belongs on the server.',
    )
  }
  const versions = text.startsWith('tpub') ? VERSIONS.tpub : VERSIONS.xpub
  let key: HDKey
  try {
    key = HDKey.fromExtendedKey(text, versions)
  } catch {
    // The library's own message may quote the key.
    throw new InvalidExtendedKey(
      'WALLET_XPUB must be an extended public key that begins with xpub or tpub and has a valid checksum.',
    )
  }
  if (key.privateKey !== null)
    throw new InvalidExtendedKey('WALLET_XPUB holds an extended private key; give the extended public key.')
  return key
}

function checkedIndex(index: number): number {
  if (!Number.isInteger(index) || index < 0 || index >= FIRST_HARDENED_INDEX) {
    throw new RangeError(`${index} is not a non-hardened BIP-32 index`)
  }
  return index
}
