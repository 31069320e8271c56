import type { Transaction } from '#modules/payments'
import { html, type Html } from '#platform/http/html'
import { type ClosedState, exitUrlOf, returnResultOf, returnUrlOf } from '../../model/checkout-state.ts'
import { closedOrderWords } from '../../words/closed-order-words.ts'
import { moneyText } from '#platform/documents/money-text'
import { refundedTotal } from '../../words/order-summary.ts'
import { say, type Words } from '../../words/words.ts'
import type { StatusContent } from '../status-section.ts'
import { type PaymentFormOptions, renderPaymentForm, submissionNotice } from './payment-form.ts'
import type { PaymentView } from '../../model/payment-view.ts'

export interface PaymentStatusOptions extends PaymentFormOptions {
  readonly receiptUrl: string | null
  readonly confirmCardUrl: string | null
}

export function renderPaymentStatus(
  view: PaymentView,
  words: Words,
  options: PaymentStatusOptions,
): StatusContent {
  const { state } = view
  const version = versionOf(view)
  switch (state.kind) {
    case 'payable': {
      const form = renderPaymentForm(view, state.lastFailed, words, options)
      return { version, html: form, isWaiting: false }
    }
    case 'attempts_exhausted':
      return { version, html: renderExhausted(view, words), isWaiting: false }
    case 'requires_action': {
      const action = renderAction(state.transaction, state.url, words, options)
      return { version, html: action, isWaiting: true }
    }
    case 'processing':
      return { version, html: renderProcessing(words, options), isWaiting: true }
    case 'paid':
    case 'refunded':
    case 'voided':
    case 'expired':
    case 'closed':
      return { version, html: renderClosed(view, state.kind, words, options), isWaiting: false }
  }
}

function versionOf({ state, order }: PaymentView): string {
  if (state.kind === 'requires_action') return `${state.kind}-${state.transaction.id}`
  if (state.kind !== 'payable') return state.kind
  return `${state.kind}-${order.paidTotal.toString()}-${state.lastFailed?.id ?? ''}`
}

function renderExhausted(view: PaymentView, words: Words): Html {
  const backUrl = returnUrlOf(view.order, returnResultOf(view.state))
  return html`<h2 tabindex="-1">${words.attemptsExhaustedTitle}</h2>
    <p>${words.attemptsExhaustedText}</p>
    ${backUrl !== null && backButton(backUrl, view, words)}`
}

function backButton(url: string, { businessName }: PaymentView, words: Words): Html {
  return html`<p><a class="button" href="${url}">${say(words.goBack, { name: businessName })}</a></p>`
}

function renderAction(
  transaction: Transaction,
  url: string,
  words: Words,
  options: PaymentStatusOptions,
): Html {
  const amount = moneyText(transaction.amount)
  const cancelForm = html`<form
    method="post"
    action="${options.path}/cancel?lang=${options.language}"
    data-busy="${words.otherWay}"
  >
    <button type="submit" class="quiet">${words.otherWay}</button>
    ${submissionNotice(words)}
  </form>`
  if (transaction.paymentMethod === 'wallet_a_pay' || transaction.paymentMethod === 'wallet_b') {
    const wallet = transaction.paymentMethod === 'wallet_b' ? words.walletB : words.walletAPay
    return html`<h2 tabindex="-1">${say(words.walletTitle, { wallet })}</h2>
      <p>${say(words.walletText, { wallet, amount })}</p>
      <p class="qr">
        <img src="${options.path}/wallet.svg?of=${transaction.id}" alt="" width="180" height="180" />
      </p>
      <p>
        <a class="button" href="${url}" target="_blank" rel="noopener noreferrer"
          >${say(words.walletButton, { wallet })}</a
        >
      </p>
      ${waitingNotice(words, options)} ${cancelForm}`
  }
  return html`<h2 tabindex="-1">${words.bankTitle}</h2>
    <p>${say(words.bankText, { amount })}</p>
    <p><a class="button" href="${url}">${words.bankButton}</a></p>
    ${waitingNotice(words, options)} ${cancelForm}`
}

function renderProcessing(words: Words, options: PaymentStatusOptions): Html {
  return html`<h2 tabindex="-1">${words.processingTitle}</h2>
    <p>${words.processingText}</p>
    ${waitingNotice(words, options)}`
}

function waitingNotice(words: Words, options: PaymentStatusOptions): Html {
  return html`<p class="waiting">
    <span class="spinner" aria-hidden="true"></span> ${words.stillWaiting}
    <a href="${options.path}?lang=${options.language}&back=1">${words.checkAgain}</a>
  </p>`
}

function renderClosed(
  view: PaymentView,
  kind: ClosedState,
  words: Words,
  options: PaymentStatusOptions,
): Html {
  const { order } = view
  const { title, text } = closedOrderWords(kind, words)
  const exitUrl = exitUrlOf(order, view.state)
  const isPaid = kind === 'paid' || kind === 'refunded'
  const amount = moneyText(refundedTotal(order, view.transactions))
  return html`<h2 tabindex="-1" class="${isPaid ? 'good' : 'over'}">${title}</h2>
    <p>${say(text, { amount })}</p>
    ${
      options.confirmCardUrl !== null &&
      html`<p>${words.savePendingText}</p>
        <p><a class="button" href="${options.confirmCardUrl}">${words.savePendingButton}</a></p>`
    }
    ${exitUrl !== null && backButton(exitUrl, view, words)}
    ${options.receiptUrl !== null && html`<p><a href="${options.receiptUrl}">${words.download}</a></p>`}`
}
