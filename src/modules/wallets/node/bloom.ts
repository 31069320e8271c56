import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes } from '@noble/hashes/utils.js'

/**
 * Tests the logs bloom of a block header, which sets three bits for every contract and topic of the block's logs. A bloom
 * has no false negatives, so it exposes a response that omits logs, such as one of a lagging node behind a load balancer.
 */
export class BloomProbe {
  readonly #bits: readonly number[]

  constructor(values: readonly string[]) {
    this.#bits = values.flatMap(bitsOf)
  }

  mayMatch(bloom: string): boolean {
    return this.#bits.every((bit) => {
      const digit = Number.parseInt(bloom[511 - (bit >> 2)] ?? '0', 16)
      return (digit & (1 << (bit & 3))) !== 0
    })
  }
}

/** Of an address or topic, `0x…`. Ethereum yellow paper, 4.3.1: the low 11 bits of each of the first three byte pairs of the hash. */
function bitsOf(value: string): number[] {
  const hash = keccak_256(hexToBytes(value.slice(2)))
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 0x7ff)
}
