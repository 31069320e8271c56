/** A TypeID: a prefix and 26 characters of Crockford's base 32 (`kernel/ids`). A request is no object. */
const OBJECT_ID = /(?<![A-Za-z0-9_])(?!req_)[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{26}(?![A-Za-z0-9_])/g
const MAX_IDS = 10

/** The first ids that the texts name. A list names the objects of others, so what has a page counts as no text. */
export function objectIdsOf(texts: readonly string[]): string[] {
  const found = new Set<string>()
  for (const text of texts) {
    if (text.includes('"page":{')) continue
    for (const [id] of text.matchAll(OBJECT_ID)) {
      if (found.size === MAX_IDS) return [...found]
      found.add(id)
    }
  }
  return [...found]
}
