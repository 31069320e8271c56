import { PAGE_HEADERS } from '#platform/http/page-headers'

const PAGE_POLICY = PAGE_HEADERS['content-security-policy'].replace(
  "style-src 'self' 'unsafe-inline'",
  "style-src 'self'; script-src 'self'; connect-src 'self'",
)
const DIRECTIVE = /^[a-z]+-src$|^form-action$/
const ORIGIN = /^https?:\/\/(\*\.)?[\w.-]+(:\d{1,5})?$/

export type Origins = Readonly<Record<string, readonly string[]>>

export function contentPolicy(origins: Origins): string {
  const directives = new Map(
    PAGE_POLICY.split('; ').map((directive): [string, string[]] => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )
  for (const [directive, added] of Object.entries(origins)) {
    if (!DIRECTIVE.test(directive) || !added.every((origin) => ORIGIN.test(origin))) {
      throw new Error(`a component declares wrong origins for ${directive}`)
    }
    directives.set(directive, [...(directives.get(directive) ?? []), ...added])
  }
  return [...directives].map(([name, sources]) => [name, ...sources].join(' ')).join('; ')
}
