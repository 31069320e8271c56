import { html, type Html } from '#platform/http/html'
import { acceptedBrands } from '../../instruments/card-brand.ts'
import type { FieldProblems } from '../../instruments/card-form.ts'
import type { Words } from '../../words/words.ts'

export function numberField(words: Words, problems: FieldProblems | undefined): Html {
  const problem = problems?.number
  return html`<div class="field" data-name="number">
    <div class="number-label"><label for="number">${words.cardNumber}</label>${acceptedBrands(words)}</div>
    <div class="number-field">
      <span id="number-brand" class="brand-mark" data-brand=""></span>
      ${input('number', 'number-brand number-problem', problems, html`inputmode="numeric" autocomplete="cc-number" maxlength="23" placeholder="0000 0000 0000 0000" spellcheck="false"`)}
    </div>
    <p class="field-problem" id="number-problem">${problem}</p>
  </div>`
}

export function cardField(
  name: 'expiry' | 'cvc' | 'name',
  label: string,
  problems: FieldProblems | undefined,
  attributes: Html,
  hint?: string,
): Html {
  const problem = problems?.[name]
  const describedBy = hint === undefined ? `${name}-problem` : `${name}-hint ${name}-problem`
  return html`<div class="field" data-name="${name}">
    <label for="${name}">${label}</label>
    ${input(name, describedBy, problems, attributes)}
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <p class="field-problem" id="${name}-problem">${problem}</p>
  </div>`
}

const NAMES = ['number', 'expiry', 'cvc', 'name'] as const

/** Without a script the browser focuses the first field that is wrong. */
function input(
  name: (typeof NAMES)[number],
  describedBy: string,
  problems: FieldProblems | undefined,
  attributes: Html,
): Html {
  const problem = problems?.[name]
  const isFirst = problem !== undefined && NAMES.find((one) => problems?.[one] !== undefined) === name
  return html`<input
    id="${name}"
    name="${name}"
    type="text"
    required
    aria-describedby="${describedBy}"
    ${problem !== undefined && html` aria-invalid="true"`}
    ${isFirst && html` autofocus`}
    ${attributes}
  />`
}
