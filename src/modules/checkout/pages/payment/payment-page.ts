import { say } from '#kernel/say'
import { type TransferDetails, transferTexts } from '#modules/invoices'
import { payerReference } from '#modules/payments'
import { html, type Html } from '#platform/http/html'
import type { Money } from '#kernel/money'
import { moneyOnPage } from '#platform/documents/payer-figures'
import { balanceOf, type SummaryLine, summaryOf } from '../../words/order-summary.ts'
import { type Page, renderPage } from '../page.ts'
import { type StatusContent, type StatusPage, statusSection } from '../status-section.ts'
import type { PaymentView } from '../../model/payment-view.ts'
import type { PageContext } from '../link-request.ts'
import type { Language } from '../../words/language.ts'
import { type Words } from '../../words/words.ts'

export function renderPaymentPage(
  view: PaymentView,
  content: StatusContent,
  { language, words, basePath, path }: PageContext,
  { loadedFor, ...refresh }: Pick<Page, 'redirectTo' | 'reloadFrom'> & Pick<StatusPage, 'loadedFor'>,
): string {
  return renderPage({
    language,
    basePath,
    title: say(words.payTo, { name: view.businessName }),
    path,
    brand: view.brand,
    isTest: view.environment === 'test',
    hasScript: true,
    ...refresh,
    body: html`<h1>${say(words.payTo, { name: view.businessName })}</h1>
      <p class="visually-hidden" id="said" role="status"></p>
      <div class="columns">
        <section class="summary" id="summary" aria-labelledby="summary-title">
          ${renderSummary(view, words, { path, language })}
        </section>
        ${statusSection(content, { path, language, basePath, ...(loadedFor && { loadedFor }) })}
      </div>`,
  })
}

export function renderSummary(
  view: PaymentView,
  words: Words,
  { path, language }: Pick<PageContext, 'path' | 'language'>,
): Html {
  const { order } = view
  const money = (amount: Money) => moneyOnPage(language, amount)
  const sumLine = ({ label, total }: SummaryLine) =>
    html`<tr>
      <th scope="row">${label}</th>
      <td>${money(total)}</td>
    </tr>`
  const { items, adjustments, subtotal, tips, total } = summaryOf(order, words)
  const { lines, left } = balanceOf(view, words)
  // The one line of an order without lines would repeat the title and the total.
  const shownItems = subtotal === null && (order.lineItems ?? []).length === 0 ? [] : items
  return html`<h2 id="summary-title">${say(words.order, { number: payerReference(order) })}</h2>
    <table>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">${words.item}</th>
          <th scope="col">${words.amount}</th>
        </tr>
      </thead>
      <tbody>
        ${shownItems.map(
          (item) =>
            html`<tr>
              <th scope="row">
                ${item.label}${
                  item.quantity !== 1 &&
                  html`<span class="quantity">${item.quantity} × ${money(item.price)}</span>`
                }
              </th>
              <td>${money(item.total)}</td>
            </tr>`,
        )}
      </tbody>
      <tbody class="adjustments">
        ${adjustments.map(sumLine)}
        ${subtotal !== null && sumLine({ label: words.subtotal, total: subtotal })} ${tips.map(sumLine)}
      </tbody>
      <tfoot>
        <tr class="total">
          <th scope="row">${words.total}</th>
          <td>${money(total)}</td>
        </tr>
        ${lines.map(sumLine)}
        ${
          left !== null &&
          html`<tr class="total">
            <th scope="row">${words.leftToPay}</th>
            <td>${money(left)}</td>
          </tr>`
        }
      </tfoot>
    </table>
    ${view.transfer !== null && transferSection(view.transfer, language)}
    ${
      view.state.kind === 'payable' &&
      html`<figure class="phone">
        <img src="${path}/qr.svg" alt="${words.qrAlt}" width="120" height="120" />
        <figcaption>${words.qrHint}</figcaption>
      </figure>`
    }`
}

function transferSection(transfer: TransferDetails, language: Language): Html {
  const { title, facts } = transferTexts(transfer, language)
  return html`<section class="transfer" aria-labelledby="transfer-title">
    <h3 id="transfer-title">${title}</h3>
    <dl>
      ${facts.map(
        ({ label, value }) =>
          html`<dt>${label}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </section>`
}
