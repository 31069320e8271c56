import { html, type Html } from '#platform/http/html'
import { assets } from './assets.ts'
import type { Language } from '../words/language.ts'

export interface StatusContent {
  readonly version: string
  readonly html: Html
  readonly isWaiting: boolean
}

export interface StatusPage {
  readonly path: string
  readonly language: Language
  readonly basePath: string
  readonly isCentered?: boolean
  readonly loadedFor?: string | null
}

export function statusSection({ version, html: content, isWaiting }: StatusContent, page: StatusPage): Html {
  return html`<section
    class="status${page.isCentered && ' centered'}"
    id="status"
    data-version="${version}"
    data-status="${page.path}/status?lang=${page.language}"
    ${page.loadedFor && html` data-loaded-for="${page.loadedFor}" data-component-script="${page.basePath}${assets.component.path}"`}
    ${isWaiting && html` data-waiting`}
  >
    ${content}
  </section>`
}
