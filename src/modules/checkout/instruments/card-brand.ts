import { cardBrandName } from '#kernel/card-brands'
import { html, type Html } from '#platform/http/html'
import type { Words } from '../words/words.ts'
import { BRAND_SHAPES } from './brand-shapes.ts'

export function brandName(brand: string, words: Words): string {
  return cardBrandName(brand) ?? words.card
}

export function brandMark(brand: string): Html {
  const shapes = BRAND_SHAPES[brand]
  return html`<span class="brand-mark" data-brand="${shapes === undefined ? '' : brand}" aria-hidden="true"
    >${shapes !== undefined && drawing(shapes)}</span
  >`
}

/**
 * The brands that the merchant accepts. The script dims all but the brand of the typed number, and copies that one
 * into the field.
 */
export function acceptedBrands(words: Words): Html {
  return html`<ul class="accepted-brands" aria-label="${words.acceptedCards}">
    ${Object.entries(BRAND_SHAPES).map(
      ([brand, shapes]) =>
        html`<li class="brand-mark" data-brand="${brand}">
          ${drawing(shapes, html` role="img" aria-label="${brandName(brand, words)}"`)}
        </li>`,
    )}
  </ul>`
}

function drawing(shapes: Html, attributes: Html | false = false): Html {
  return html`<svg viewBox="0 0 38 24" width="38" height="24" ${attributes}>${shapes}</svg>`
}
