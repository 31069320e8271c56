import { html, type Html } from '#platform/http/html'
import { assets } from './assets.ts'
import { type Language, LANGUAGES } from '../words/language.ts'
import { WORDS } from '../words/all-words.ts'

export interface Page {
  readonly language: Language
  readonly title: string
  readonly basePath: string
  readonly path: string | null
  readonly businessName: string
  readonly isTest: boolean
  readonly body: Html
  readonly hasScript: boolean
  readonly redirectTo?: string | null
  readonly reloadFrom?: string | null
}

/** A page without the script reloads after this time. The script may wait up to 10 s, because it shows a spinner. */
const RELOAD_SECONDS = 5

export function renderPage(page: Page): string {
  const words = WORDS[page.language]
  const document = html`<!doctype html>
    <html lang="${page.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.title}${page.businessName !== '' && ` · ${page.businessName}`}</title>
        ${page.redirectTo && html`<meta http-equiv="refresh" content="0; url=${page.redirectTo}" />`}
        ${page.reloadFrom && html`<noscript><meta http-equiv="refresh" content="${RELOAD_SECONDS}; url=${page.reloadFrom}" /></noscript>`}
        <link rel="stylesheet" href="${page.basePath}${assets.style.path}" />
        <link rel="icon" href="data:," />
        ${page.hasScript && html`<script type="module" src="${page.basePath}${assets.script.path}"></script>`}
      </head>
      <body>
        <header>
          <p class="merchant">${page.businessName}</p>
          ${page.path !== null && languageLinks(page.path, page.language)}
        </header>
        <main>
          ${page.isTest && html`<p class="test-mode" role="note">${words.testMode}</p>`} ${page.body}
        </main>
      </body>
    </html> `
  return document.text
}

function languageLinks(path: string, current: Language): Html {
  return html`<nav aria-label="Language 語言">
    <ul>
      ${LANGUAGES.map(
        (language) =>
          html`<li>
            <a
              href="${path}?lang=${language}"
              lang="${language}"
              hreflang="${language}"
              ${language === current && html` aria-current="true"`}
              >${WORDS[language].languageName}</a
            >
          </li>`,
      )}
    </ul>
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
    businessName: '',
    isTest: false,
    hasScript: false,
    body: html`<section class="status centered">
      <h1>${message.title}</h1>
      <p>${message.text}</p>
    </section>`,
  })
}
