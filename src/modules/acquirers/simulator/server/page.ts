import { moneyInSentence } from '#platform/documents/money-text'
import { html, type Html } from '#platform/http/html'
import type { KeyState } from '../books/books.ts'

export function payerPage(found: KeyState): string {
  if (found.kind === 'absent')
    return page(html`Nothing to confirm`, html`<p>This payment was closed or never started.</p>`)
  const { payment } = found
  const asked =
    payment.amount === null ? 'Confirm that this card is yours.' : `Pay ${moneyInSentence(payment.amount)}`
  if (payment.end !== null) {
    const said = payment.end.outcome === 'approved' ? html`Confirmed.` : html`Not confirmed.`
    const back = payment.returnUrl !== null && html`<p><a href="${payment.returnUrl}">Go back</a></p>`
    return page(
      said,
      html`<p>${asked}</p>
        ${back}`,
    )
  }
  return page(
    payment.waitsFor === 'three_d_secure' ? html`3-D Secure` : html`Wallet payment`,
    html`<p>${asked}</p>
      <form method="post" action="confirm"><button>Confirm</button></form>
      <form method="post" action="decline"><button>Decline</button></form>`,
  )
}

function page(title: Html, body: Html): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title.text}</title>
<style>body { font: 1rem/1.5 system-ui; margin: 15vh auto; max-width: 22rem; text-align: center }
button { font: inherit; margin: .25rem; padding: .5rem 2rem }</style>
<h1>${title.text}</h1>
${body.text}
<p><small>Acquirer simulator: no money moves.</small></p>
</html>
`
}
