import { ECDH } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { publicKeyToAddress } from 'viem/utils'
import type { Address } from 'viem'

/** The version bytes of extended keys: Bitcoin's, which everybody uses for Ethereum too, and its test network's. */
const VERSIONS = {
  xpub: { public: 0x0488b21e, private: 0x0488ade4 },
  tpub: { public: 0x043587cf, private: 0x04358394 },
} as const
/** Children above this are hardened and cannot be derived from a public key. */
const MAX_CHILDREN = 0x80000000
const MAX_TENANTS_KEPT = 1_000

/** The extended public key cannot be used; the message is for the operator and quotes no part of the key. */
export class ExtendedKeyRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ExtendedKeyRefused'
  }
}

/**
 * Derives deposit addresses `m/<tenant's number>/<wallet's number>` under an extended public key (BIP-32, without
 * hardening), so that no private key is on the server.
 */
export class AddressDeriver {
  readonly #root: HDKey
  readonly #tenants = new Map<number, HDKey>()

  /** Throws `ExtendedKeyRefused`, above all for a private key. */
  constructor(extendedPublicKey: string) {
    this.#root = readExtendedPublicKey(extendedPublicKey)
  }

  /** The address in EIP-55 form. */
  addressOf(tenantNumber: number, walletNumber: number): Address {
    const { publicKey } = this.#tenantKey(tenantNumber).deriveChild(checkedIndex(walletNumber))
    if (publicKey === null) throw new Error('a derived key has no public part')
    const uncompressed = ECDH.convertKey(publicKey, 'secp256k1', undefined, 'hex', 'uncompressed')
    return publicKeyToAddress(`0x${uncompressed}`)
  }

  #tenantKey(number: number): HDKey {
    const known = this.#tenants.get(number)
    if (known !== undefined) return known
    if (this.#tenants.size >= MAX_TENANTS_KEPT) this.#tenants.clear()
    const key = this.#root.deriveChild(checkedIndex(number))
    this.#tenants.set(number, key)
    return key
  }
}

function readExtendedPublicKey(text: string): HDKey {
  if (/^[a-zA-Z]prv/.test(text)) {
    throw new ExtendedKeyRefused(
      'WALLET_XPUB holds an extended private key; give the extended public key: no private key belongs on the server.',
    )
  }
  const versions = text.startsWith('tpub') ? VERSIONS.tpub : VERSIONS.xpub
  let key: HDKey
  try {
    key = HDKey.fromExtendedKey(text, versions)
  } catch {
    // The library's own message may quote the key.
    throw new ExtendedKeyRefused(
      'WALLET_XPUB must be an extended public key, which begins with xpub (or tpub), with its check digits intact.',
    )
  }
  if (key.privateKey !== null) throw new ExtendedKeyRefused('WALLET_XPUB holds an extended private key.')
  return key
}

function checkedIndex(index: number): number {
  if (!Number.isInteger(index) || index < 0 || index >= MAX_CHILDREN) {
    throw new RangeError(`${index} is no index of a key that is not hardened`)
  }
  return index
}
