import { randomNumbers } from '#kernel/random-numbers'

/**
 * Random numbers that a seed repeats. Every subject draws from a stream of its own, so that one more choice
 * about orders does not change which process is killed when.
 */
export class Random {
  /** From 0 to below 1. */
  readonly next: () => number

  constructor(seed: number, subject: string) {
    let state = seed | 0
    for (const character of subject) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
    this.next = randomNumbers(state)
  }

  /** A whole number, both ends included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.whole(0, from.length - 1)] ?? from[0]
  }

  shuffle<T>(cards: readonly T[]): T[] {
    return cards
      .map((card) => ({ card, order: this.next() }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ card }) => card)
  }
}
