/**
 * A URL with members added to its query. What is there stays as it was written: whose address it is may have signed it,
 * or have a member of the same name.
 */
export function withAddedQuery(address: string, members: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  const added = new URLSearchParams(members).toString()
  url.search = `${url.search === '' ? '?' : `${url.search}&`}${added}`
  return url.toString()
}
