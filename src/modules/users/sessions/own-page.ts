/**
 * Returns the complete address of the console's page that `text` names, or undefined if it names anything else. The text is
 * resolved first, as browsers do it: they drop tabs and newlines, read a backslash as a slash, and resolve `..`. Encoded
 * slashes are refused, because proxies may decode them.
 */
export function ownPage(text: string, base: string): string | undefined {
  const pages = new URL(`${base}/console`)
  const url = URL.parse(text, pages)
  if (url === null || url.origin !== pages.origin || url.username !== '' || url.password !== '')
    return undefined
  if (url.pathname !== pages.pathname && !url.pathname.startsWith(`${pages.pathname}/`)) return undefined
  return /\/\/|%2f|%5c/i.test(url.pathname) ? undefined : url.href
}
