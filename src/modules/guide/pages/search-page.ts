import { html, type Html } from '#platform/http/html'
import type { Found } from '../search/search-index.ts'

export function renderSearch(query: string, found: readonly Found[], base: string): Html {
  if (query === '') return html`<h1>Search</h1>`
  if (found.length === 0) {
    return html`<h1>Nothing found</h1>
      <p>No section has all words of “${query}”. Fewer or other words may find it.</p>`
  }
  return html`<h1>Found for “${query}”</h1>
    <ol class="results">
      ${found.map(
        ({ id, title, heading, text }) =>
          html`<li>
            <a href="${base}/${id}">${heading === '' ? title : `${title}: ${heading}`}</a>
            <p>${text}</p>
          </li>`,
      )}
    </ol>`
}
