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
      ${input('number', 'number-brand number-problem', problem, html`inputmode="numeric" autocomplete="cc-number" maxlength="23" placeholder="0000 0000 0000 0000" spellcheck="false"`)}
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
    ${input(name, describedBy, problem, attributes)}
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <p class="field-problem" id="${name}-problem">${problem}</p>
  </div>`
}

function input(name: string, describedBy: string, problem: string | undefined, attributes: Html): Html {
  return html`<input
    id="${name}"
    name="${name}"
    type="text"
    required
    aria-describedby="${describedBy}"
    ${problem !== undefined && html` aria-invalid="true"`}
    ${attributes}
  />`
}
