import { directionOfLanguage } from '#kernel/language-tags'
import { html, type Html } from '#platform/http/html'
import { assets } from './assets.ts'
import { type Language, LANGUAGES } from '../words/language.ts'
import { wordsOf } from '../words/all-words.ts'
import { brandFooter, brandHead, brandHeader } from './brand/brand.ts'
import type { Brand } from '../model/brand.ts'

export interface Page {
  readonly language: Language
  readonly title: string
  readonly basePath: string
  readonly path: string | null
  readonly brand: Brand | null
  readonly isTest: boolean
  readonly body: Html
  readonly hasScript: boolean
  readonly style?: string
  readonly redirectTo?: string | null
  readonly reloadFrom?: string | null
}

/** A page without the script reloads after this time. The script may wait up to 10 s, because it shows a spinner. */
const RELOAD_SECONDS = 5

export function renderPage(page: Page): string {
  const words = wordsOf(page.language)
  const { brand } = page
  const document = html`<!doctype html>
    <html lang="${page.language}" dir="${directionOfLanguage(page.language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.title}${brand !== null && ` · ${brand.name}`}</title>
        ${page.redirectTo && html`<meta http-equiv="refresh" content="0; url=${page.redirectTo}" />`}
        ${page.reloadFrom && html`<noscript><meta http-equiv="refresh" content="${RELOAD_SECONDS}; url=${page.reloadFrom}" /></noscript>`}
        <link rel="stylesheet" href="${page.basePath}${assets.style.path}" />
        ${page.style !== undefined && html`<link rel="stylesheet" href="${page.basePath}${page.style}" />`}
        ${brand !== null && brandHead(brand, page.basePath)}
        <link rel="icon" href="data:," />
        ${page.hasScript && html`<script type="module" src="${page.basePath}${assets.script.path}"></script>`}
      </head>
      <body>
        <header>
          ${brand !== null && brandHeader(brand, page.basePath)}
          ${page.path !== null && languageLinks(page.path, page.language)}
        </header>
        <main>
          ${page.isTest && html`<p class="test-mode" role="note">${words.testMode}</p>`} ${page.body}
        </main>
        ${brand !== null && brandFooter(brand, words)}
      </body>
    </html> `
  return document.text
}

function languageLinks(path: string, current: Language): Html {
  const { language: label, languageName } = wordsOf(current)
  return html`<nav aria-label="${label}">
    <details class="languages">
      <summary>${languageName}</summary>
      <ul>
        ${LANGUAGES.map(
          (language) =>
            html`<li>
              <a
                href="${path}?lang=${language}"
                lang="${language}"
                hreflang="${language}"
                ${language === current && html` aria-current="true"`}
                ><bdi>${wordsOf(language).languageName}</bdi></a
              >
            </li>`,
        )}
      </ul>
    </details>
  </nav>`
}

export function renderMessage(
  { language, basePath, reloadFrom = null }: Pick<Page, 'language' | 'basePath' | 'reloadFrom'>,
  message: { readonly title: string; readonly text: string },
): string {
  return renderPage({
    language,
    basePath,
    reloadFrom,
    title: message.title,
    path: null,
    brand: null,
    isTest: false,
    hasScript: false,
    body: html`<section class="status centered">
      <h1>${message.title}</h1>
      <p>${message.text}</p>
    </section>`,
  })
}
