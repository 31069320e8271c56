import type { ErrorCatalogue, ErrorDefinition } from '#kernel/errors'
import { html, type Html } from '#platform/http/html'

export interface ListedError extends ErrorDefinition {
  readonly reason: string
  readonly code: number
}

export function listErrors(catalogues: readonly ErrorCatalogue[]): ListedError[] {
  const reasons = new Set<string>()
  const byCode = new Map<number, ListedError>()
  for (const [reason, definition] of catalogues.flatMap((catalogue) => Object.entries(catalogue))) {
    const code = definition.status * 100 + definition.number
    const taken = byCode.get(code)
    if (taken !== undefined) throw new Error(`${reason} and ${taken.reason} have the same code ${code}`)
    if (reasons.has(reason)) throw new Error(`two errors have the reason ${reason}`)
    reasons.add(reason)
    byCode.set(code, { ...definition, reason, code })
  }
  return [...byCode.values()].toSorted((a, b) => a.code - b.code)
}

export function errorPage(errors: readonly ListedError[]): string {
  const rows = html`${errors.map(errorRow)}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · Quittance</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; border-bottom: 1px solid #8884 }
</style></head><body><main>
<h1>Errors</h1>
<p>A failed request is answered with <code>{code, message, data: {error: {type, reason, param?, decline_code?, recommended_action?, request_id}}}</code>.
Branch on <code>reason</code>, which never changes. <code>code</code> is the HTTP status × 100, plus a number that never changes. <a href="../docs">All operations</a></p>
<div class="wide" role="region" aria-label="All errors" tabindex="0"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Reason</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.text}</tbody></table></div>
</main></body></html>`
}

function errorRow(error: ListedError): Html {
  return html`<tr id="${error.reason}">
    <td>${error.code}</td>
    <td>${error.status}</td>
    <td><code>${error.reason}</code></td>
    <td><code>${error.type}</code></td>
    <td>
      ${error.message}${error.recommendedAction && html`<br /><small>${error.recommendedAction}</small>`}
    </td>
  </tr> `
}
