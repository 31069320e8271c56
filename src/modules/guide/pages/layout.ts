import { createHash } from 'node:crypto'
import { html, type Html } from '#platform/http/html'
import { readStylesheet } from '#platform/http/palette'
import type { Group, GuidePage, Library } from '../library.ts'

export const MAX_QUERY_LENGTH = 100

export interface Style {
  readonly path: string
  readonly content: Buffer
}

export function readStyle(): Style {
  const content = readStylesheet(new URL('../assets/guide.css', import.meta.url))
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return { path: `guide.${hash}.css`, content }
}

const GROUP_TITLES: Readonly<Record<Group, string>> = {
  guides: 'Guides',
  reference: 'Reference',
  operating: 'Operating',
}

interface Layout {
  readonly title: string
  readonly body: Html
  readonly base: string
  readonly style: Style
  readonly library: Library
  readonly current?: GuidePage
  readonly query?: string
}

export function renderLayout({ title, body, base, style, library, current, query = '' }: Layout): string {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Quittance</title>
        <link rel="stylesheet" href="${base}/${style.path}" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <a class="skip" href="#content">Skip to the text</a>
        <header>
          <a class="home" href="${base}/">Quittance</a>
          <form action="${base}/search" role="search">
            <input
              type="search"
              name="q"
              value="${query}"
              maxlength="${MAX_QUERY_LENGTH}"
              aria-label="Search the guide"
              placeholder="Search"
              required
            />
            <button>Search</button>
          </form>
        </header>
        <div class="columns">
          <details class="menu">
            <summary>All pages</summary>
            <nav aria-label="Pages">${menuOf(library, base, current)}</nav>
          </details>
          <main id="content">${body}</main>
        </div>
      </body>
    </html> `
  return document.text
}

function menuOf({ menu }: Library, base: string, current: GuidePage | undefined): readonly Html[] {
  return [...menu].map(
    ([group, pages]) =>
      html`<h2>${GROUP_TITLES[group]}</h2>
        <ul>
          ${pages.map(
            (page) =>
              html`<li>
                <a href="${base}/${page.path}" ${page === current && html` aria-current="page"`}
                  >${page.title}</a
                >
              </li>`,
          )}
        </ul>`,
  )
}
