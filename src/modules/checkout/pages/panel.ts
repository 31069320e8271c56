import { html, type Html } from '#platform/http/html'
import type { Language } from '../words/language.ts'

/** The part of a page that changes: what the payer does now, or what came of it. */
export interface Panel {
  /** The same as long as the panel would look the same to the payer. */
  readonly version: string
  readonly html: Html
  /** Whether something is under way that changes the panel by itself. */
  readonly isWaiting: boolean
}

/** The panel in its page, with what the script keeps it up to date by. */
export function panelSection(
  { version, html: content, isWaiting }: Panel,
  page: { readonly path: string; readonly language: Language; readonly isAlone?: boolean },
): Html {
  return html`<section
    class="panel${page.isAlone && ' alone'}"
    id="panel"
    data-version="${version}"
    data-status="${page.path}/status?lang=${page.language}"
    ${isWaiting && html` data-waiting`}
  >
    ${content}
  </section>`
}
