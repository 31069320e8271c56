import { randomNumbers } from '#kernel/random-numbers'

/**
 * Repeatable random numbers. Each subject has a stream of its own: one more choice about orders does not change
 * which process is killed when.
 */
export class Random {
  readonly next: () => number

  constructor(seed: number, subject: string) {
    let state = seed | 0
    for (const character of subject) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
    this.next = randomNumbers(state)
  }

  whole(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.whole(0, values.length - 1)] ?? values[0]
  }

  shuffle<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, order: this.next() }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ value }) => value)
  }
}
