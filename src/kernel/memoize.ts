/**
 * A billing run reads and writes the same few times hundreds of thousands of times, and a Temporal object costs more
 * than it looks: beside its making, the collector has to free the memory that it holds outside the heap. So the newest
 * are kept; a full memory is forgotten, which costs less than keeping score.
 */
const MAX_ENTRIES = 2_048

/** A pure function of an immutable key that remembers its newest results. */
export function memoize<Key extends string | number, Result>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const results = new Map<Key, Result>()
  return (key) => {
    const known = results.get(key)
    if (known !== undefined) return known
    if (results.size === MAX_ENTRIES) results.clear()
    const result = compute(key)
    results.set(key, result)
    return result
  }
}
