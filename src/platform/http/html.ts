import { withoutOverrides } from '#kernel/one-line'

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | false | null | undefined | readonly Part[]

/**
 * A template tag. Texts are escaped for elements and for attributes in double quotes; markup and lists of
 * markup are inserted as they are; false, null and undefined insert nothing. Direction overrides of texts are left out.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? ''
  parts.forEach((part, index) => {
    text += toMarkup(part) + (strings[index + 1] ?? '')
  })
  return new Html(text)
}

function toMarkup(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(toMarkup).join('')
  return escapeText(String(part))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return withoutOverrides(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
