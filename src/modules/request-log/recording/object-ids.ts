/** A TypeID: a prefix and 26 characters of Crockford's base 32 (`kernel/ids`). A request is no object. */
const OBJECT_ID = /["/=](?!req_)[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{26}(?![A-Za-z0-9_])/g
/** Each is a key of the search; a list may hold a hundred. */
const MAX_IDS = 10

export function objectIdsOf(texts: readonly string[]): string[] {
  const found = new Set<string>()
  for (const text of texts) {
    if (isList(text)) continue
    for (const match of text.match(OBJECT_ID) ?? []) {
      if (found.size === MAX_IDS) return [...found]
      found.add(match.slice(1))
    }
  }
  return [...found]
}

/** A list names the objects of others. */
function isList(text: string): boolean {
  return text.includes('"page":{')
}
