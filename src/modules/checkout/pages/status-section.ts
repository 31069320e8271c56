import { html, type Html } from '#platform/http/html'
import type { Language } from '../words/language.ts'

export interface StatusContent {
  readonly version: string
  readonly html: Html
  readonly isWaiting: boolean
}

export function statusSection(
  { version, html: content, isWaiting }: StatusContent,
  page: { readonly path: string; readonly language: Language; readonly isCentered?: boolean },
): Html {
  return html`<section
    class="status${page.isCentered && ' centered'}"
    id="status"
    data-version="${version}"
    data-status="${page.path}/status?lang=${page.language}"
    ${isWaiting && html` data-waiting`}
  >
    ${content}
  </section>`
}
