import { html, type Html } from '#platform/http/html'
import type { Language } from '../words/language.ts'

/** The part of a page that changes: what the payer does next, or the result. */
export interface StatusContent {
  /** Changes whenever the payer would see a difference. */
  readonly version: string
  readonly html: Html
  /** Whether the content can change without the payer, so that the script polls for it. */
  readonly isWaiting: boolean
}

/** The content with the attributes that the script polls by. */
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
