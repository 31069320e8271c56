import { hexToBytes, keccak256 } from 'viem/utils'
import type { Hex } from 'viem'

/**
 * The logs bloom of a block header: three bits for every contract and topic of its logs. It never denies what is there,
 * so it tells on a node that leaves logs out of an answer (one that lags behind its fellows at the same address).
 */
export class BloomProbe {
  readonly #bits: readonly number[]

  constructor(values: readonly Hex[]) {
    this.#bits = values.flatMap(bitsOf)
  }

  /** Whether the block may hold a log of all the values. @param bloom 512 hexadecimal digits, most significant first */
  mayBeIn(bloom: string): boolean {
    return this.#bits.every((bit) => {
      const digit = Number.parseInt(bloom[511 - (bit >> 2)] ?? '0', 16)
      return (digit & (1 << (bit & 3))) !== 0
    })
  }
}

/** Yellow paper, 4.3.1: the low 11 bits of each of the first three pairs of bytes of the hash. */
function bitsOf(value: Hex): number[] {
  const hash = keccak256(hexToBytes(value), 'bytes')
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 0x7ff)
}
