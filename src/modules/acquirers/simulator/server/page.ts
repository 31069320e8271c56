import { moneyInSentence } from '#platform/documents/money-text'
import { html, Html } from '#platform/http/html'
import { readStylesheet } from '#platform/http/palette'
import type { KeyState } from '../books/books.ts'

/** The colours and shapes of the hosted pages. The simulator is a process of its own and serves no other file. */
const STYLE = new Html(readStylesheet(new URL('page.css', import.meta.url)).toString())

export function payerPage(found: KeyState): string {
  if (found.kind === 'absent')
    return page('Nothing to confirm', html`<p>This payment was closed or never started.</p>`)
  const { payment } = found
  const asked =
    payment.amount === null ? 'Confirm that this card is yours.' : `Pay ${moneyInSentence(payment.amount)}`
  if (payment.end !== null) {
    const said = payment.end.outcome === 'approved' ? 'Confirmed' : 'Not confirmed'
    return page(
      said,
      html`<p>${asked}</p>
        ${payment.returnUrl !== null && html`<p><a href="${payment.returnUrl}">Go back</a></p>`}`,
    )
  }
  const isCard = payment.waitsFor === 'three_d_secure'
  return page(
    isCard ? '3-D Secure' : 'Wallet payment',
    html`<p>${isCard ? 'Your bank asks whether this is you.' : 'Your wallet asks for your confirmation.'}</p>
      <p class="asked">${asked}</p>
      <form method="post" action="confirm"><button>Confirm</button></form>
      <form method="post" action="decline"><button class="secondary">Decline</button></form>`,
  )
}

function page(title: string, body: Html): string {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <main>
          <p class="test-mode" role="note">Acquirer simulator: no money moves.</p>
          <section>
            <h1>${title}</h1>
            ${body}
          </section>
        </main>
      </body>
    </html> `
  return document.text
}
