import { html, type Html } from '#platform/http/html'
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
    <input
      id="${name}"
      name="${name}"
      type="text"
      required
      aria-describedby="${describedBy}"
      ${problem !== undefined && html` aria-invalid="true"`}
      ${attributes}
    />
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <p class="field-problem" id="${name}-problem">${problem}</p>
  </div>`
}
