import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Whether the text is an address of an EVM chain, in whatever case. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text)
}

/** The address in the mixed case of ERC-55, which exposes mistyped letters. */
export function checksumAddress(address: string): string {
  if (!isAddress(address)) throw new RangeError('an address has 40 hexadecimal digits after 0x')
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const mixed = [...digits].map((digit, index) => ((hash[index] ?? '') >= '8' ? digit.toUpperCase() : digit))
  return `0x${mixed.join('')}`
}

/** @param publicKey uncompressed: 65 bytes, of which the first is 4 */
export function addressOfPublicKey(publicKey: Uint8Array): string {
  return checksumAddress(`0x${bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12))}`)
}
