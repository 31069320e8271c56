/**
 * The mulberry32 generator: numbers from 0 to below 1, the same for the same seed. For rehearsals that are to be repeated;
 * it keeps no secret.
 * @param seed a whole number, of which 32 bits count
 */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
