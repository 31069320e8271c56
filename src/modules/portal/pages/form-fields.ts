import { randomUUID } from 'node:crypto'
import { html, type Html } from '#platform/http/html'
import { errors } from '../errors.ts'
import type { PortalRequest, Problem } from './page-request.ts'

/** The key of a form, so that a form that is sent twice acts once. */
export function attemptField(): Html {
  return html`<input type="hidden" name="attempt" value="${randomUUID()}" />`
}

/** Attributes of the field that a problem is about, which gets the focus. */
export function wrongField(isWrong: boolean): Html | false {
  return isWrong && html` aria-invalid="true" aria-describedby="problem" autofocus`
}

/** The problem below its field, for those who do not see the top of the page. */
export function fieldProblem(problem: Problem | undefined, isWrong: boolean): Html | false {
  return isWrong && problem !== undefined && html`<p class="field-problem" id="problem">${problem.text}</p>`
}

/** Whether a problem is about a member of the request, or about something in it. */
export function isAbout(problem: Problem | undefined, member: string): boolean {
  return problem?.param?.split(/[.[\]]+/).includes(member) ?? false
}

/** The number as it stands in the form, so that no digit is lost. */
export function numberOf({ form }: PortalRequest, name: string): unknown {
  const text = form.get(name) ?? ''
  if (!/^\d{1,15}(?:\.\d{1,12})?$/.test(text)) throw errors.expected_total_invalid()
  return JSON.rawJSON(text)
}
