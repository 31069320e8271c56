import { directionOfLanguage } from '#kernel/language-tags'
import { moneyOnPage } from '#platform/documents/payer-figures'
import { html, Html } from '#platform/http/html'
import { readStylesheet } from '#platform/http/palette'
import type { KeyState } from '../books/books.ts'
import { pageWords } from './page-words.ts'

/** The colours and shapes of the hosted pages. The simulator is a process of its own and serves no other file. */
const STYLE = new Html(readStylesheet(new URL('page.css', import.meta.url)).toString())

/** @param acceptLanguage the header of the payer's browser */
export function payerPage(found: KeyState, acceptLanguage: string | undefined): string {
  const said = pageWords(acceptLanguage)
  const { words } = said
  if (found.kind === 'absent') return page(said, words.goneTitle, html`<p>${words.goneText}</p>`)
  const { payment } = found
  const asked =
    payment.amount === null
      ? words.verifyCard
      : words.pay.replace('{amount}', moneyOnPage(said.language, payment.amount))
  if (payment.end !== null) {
    return page(
      said,
      payment.end.outcome === 'approved' ? words.confirmed : words.notConfirmed,
      html`<p>${asked}</p>
        ${payment.returnUrl !== null && html`<p><a href="${payment.returnUrl}">${words.goBack}</a></p>`}`,
    )
  }
  const isCard = payment.waitsFor === 'three_d_secure'
  return page(
    said,
    isCard ? '3-D Secure' : words.walletTitle,
    html`<p>${isCard ? words.bankAsks : words.walletAsks}</p>
      <p class="asked">${asked}</p>
      <form method="post" action="confirm"><button>${words.confirm}</button></form>
      <form method="post" action="decline"><button class="secondary">${words.decline}</button></form>`,
  )
}

function page({ language, words }: ReturnType<typeof pageWords>, title: string, body: Html): string {
  const document = html`<!doctype html>
    <html lang="${language}" dir="${directionOfLanguage(language)}">
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
          <p class="test-mode" role="note">${words.simulated}</p>
          <section>
            <h1><bdi>${title}</bdi></h1>
            ${body}
          </section>
        </main>
      </body>
    </html> `
  return document.text
}
