import { say } from '#kernel/say'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

import type { InvoiceView } from '#modules/invoices'
import { moneyOnPage } from '#platform/documents/payer-figures'
import { html } from '#platform/http/html'
import { errors } from '../errors.ts'
import { requireOwnInvoice } from '../invoices/own-invoice.ts'
import { dayText, isZero, moneyOf } from './amounts.ts'
import { attemptField, numberOf } from './form-fields.ts'
import { tokenName } from './overview-page.ts'
import { submit, redirectToSite, type PortalRequest, type Problem, redirect, show } from './page-request.ts'
import type { InvoiceResponse, TokenResponse } from './responses.ts'

export async function showInvoices(page: PortalRequest): Promise<FastifyReply> {
  const { t, words } = page
  const cursor = page.query('cursor')
  const { invoices, page: listed } = await page.call('GET /invoices', {
    query: { ...(cursor !== undefined && { cursor }) },
  })
  const states: Readonly<Record<string, string>> = t.invoiceStates
  return show(page, {
    title: t.invoices,
    path: '/invoices',
    body: html`<section class="status">
      ${invoices.length === 0 && html`<p>${t.noInvoices}</p>`}
      <ul class="rows">
        ${invoices.map(
          (invoice) =>
            html`<li>
              <p>
                <strong><bdi>${invoice.number}</bdi></strong> · <bdi>${dayText(page, invoice.issue_date)}</bdi
                ><br />
                ${moneyOf(page, invoice.currency, invoice.total)} · ${states[invoice.state] ?? invoice.state}
              </p>
              <p class="links">
                <a href="${page.to(`/invoices/${invoice.id}/document`)}"
                  >PDF<span class="visually-hidden"> ${invoice.number}</span></a
                >
                ${canBePaid(invoice) && html`<a href="${page.to(`/invoices/${invoice.id}/pay`)}">${say(words.payAmount, { amount: moneyOf(page, invoice.currency, invoice.amount_due) })}</a>`}
              </p>
            </li>`,
        )}
      </ul>
      ${listed.next_cursor !== null && html`<p><a href="${page.to('/invoices', { cursor: listed.next_cursor })}">${t.older}</a></p>`}
    </section>`,
  })
}

function canBePaid({ type, state, currency, amount_due: due }: InvoiceResponse): boolean {
  return type === 'invoice' && state === 'open' && !isZero(currency, due)
}

export async function downloadInvoice(page: PortalRequest): Promise<FastifyReply> {
  const { id = '' } = page.params
  const { name, content, contentType } = await page.file('GET /invoices/:id/document', {
    params: { id },
    query: { format: 'pdf' },
  })
  return page.reply
    .type(contentType ?? 'application/pdf')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(content))
}

export async function showPay(page: PortalRequest, problem?: Problem): Promise<FastifyReply> {
  const { t, words } = page
  const { id = '' } = page.params
  const { number, amountDue, orderNumber } = await requirePayable(page, id)
  const amount = moneyOnPage(page.language, amountDue)
  const seesCards = page.allow.payment_methods !== false
  const cards = seesCards ? await usableTokens(page) : []
  const link = seesCards ? undefined : await paymentLinkOf(page, orderNumber)
  return show(page, {
    title: say(words.payAmount, { amount }),
    path: `/invoices/${id}/pay`,
    problem,
    body: html`<section class="status">
      <h2>${number}</h2>
      ${
        !seesCards
          ? link !== undefined &&
            html`<p><a class="button" href="${link}">${say(words.payAmount, { amount })}</a></p>`
          : cards.length === 0
            ? html`<p>${t.noCard}</p>
                <p><a class="button" href="${page.to('/cards')}">${t.addCard}</a></p>`
            : html`<form method="post" action="${page.to(`/invoices/${id}/pay`)}">
                ${attemptField()}
                <input type="hidden" name="expected_total" value="${amountDue.toString()}" />
                <fieldset class="methods">
                  <legend>${words.method}</legend>
                  ${cards.map(
                    (card) =>
                      html`<label class="choice"
                        ><input
                          type="radio"
                          name="payment_token"
                          value="${card.token}"
                          required
                          ${card.default && html` checked`}
                        />
                        <span>${tokenName(page, card)}</span></label
                      >`,
                  )}
                </fieldset>
                <button type="submit">${say(words.payAmount, { amount })}</button>
              </form>`
      }
    </section>`,
  })
}

async function requirePayable(page: PortalRequest, id: string): Promise<InvoiceView> {
  const invoice = await requireOwnInvoice(page.ctx, await page.visitor('invoices'), id)
  const { type, state, amountDue } = invoice
  if (type !== 'invoice' || state !== 'open' || !amountDue.isPositive()) throw errors.portal_page_not_found()
  return invoice
}

/** Who may not see cards pays on the page of the order. Undefined in a session that changes nothing. */
async function paymentLinkOf(
  { ctx, session, brand: { businessId } }: PortalRequest,
  orderNumber: string,
): Promise<string | undefined> {
  if (session.isReadOnly) return undefined
  return ctx.db.transact(businessId, async (tx) => {
    const found = (await ctx.payments.findOrders(tx, [orderNumber])).get(orderNumber)
    return found && ctx.payments.paymentLink(businessId, found.order, tx.now)
  })
}

async function usableTokens(page: PortalRequest): Promise<readonly TokenResponse[]> {
  const { payment_tokens: tokens } = await page.call('GET /payment_tokens')
  return (tokens ?? []).filter(({ state }) => state === 'active')
}

export function payInvoice(page: PortalRequest): Promise<FastifyReply> {
  return submit(
    page,
    async () => {
      const paid = await page.call('POST /invoices/:id/pay', {
        params: { id: page.params['id'] ?? '' },
        body: {
          payment_token: page.form.get('payment_token') ?? '',
          expected_total: numberOf(page, 'expected_total'),
        },
        attempt: page.form.get('attempt'),
      })
      return paid.next_action === undefined
        ? redirect(page, '/invoices')
        : redirectToSite(page, paid.next_action.url, {
            title: page.words.bankTitle,
            link: page.words.bankButton,
          })
    },
    (problem) => showPay(page, problem),
  )
}
