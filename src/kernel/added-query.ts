/** Adds members to the query of a URL. The existing query keeps its spelling, because its owner may have signed it. */
export function withAddedQuery(address: string, members: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  const added = new URLSearchParams(members).toString()
  url.search = `${url.search === '' ? '?' : `${url.search}&`}${added}`
  return url.toString()
}
