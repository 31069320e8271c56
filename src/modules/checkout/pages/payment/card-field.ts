import { html, type Html } from '#platform/http/html'
import { brandMark } from '../../instruments/card-brand.ts'
import type { FieldProblems } from '../../instruments/card-form.ts'

export function cardField(
  name: 'number' | 'expiry' | 'cvc' | 'name',
  label: string,
  problems: FieldProblems | undefined,
  attributes: Html,
  hint?: string,
): Html {
  const problem = problems?.[name]
  const describedBy = hint === undefined ? `${name}-problem` : `${name}-hint ${name}-problem`
  return html`<div class="field" data-name="${name}">
    <label for="${name}">${label}</label>
    ${name === 'number' && html`<div class="number-field">${brandMark('')}`}<input
      id="${name}"
      name="${name}"
      type="text"
      required
      aria-describedby="${describedBy}"
      ${problem !== undefined && html` aria-invalid="true"`}
      ${attributes}
    />${name === 'number' && html`</div>`}
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <p class="field-problem" id="${name}-problem">${problem}</p>
  </div>`
}
