import { say } from '#kernel/say'
import type { Transaction } from '#modules/payments'
import { html, type Html } from '#platform/http/html'
import { type ClosedState, exitUrlOf, returnResultOf, returnUrlOf } from '../../model/checkout-state.ts'
import { closedOrderWords } from '../../words/closed-order-words.ts'
import { codeOf } from '../../model/payer-action.ts'
import { methodMark } from '../../instruments/wallet-marks.ts'
import { type BrowserPaymentView, confirmingComponent } from './component-fields.ts'
import { moneyOnPage } from '#platform/documents/payer-figures'
import { refundedTotal } from '../../words/order-summary.ts'
import { type Words } from '../../words/words.ts'
import type { StatusContent } from '../status-section.ts'
import { type PaymentFormOptions, renderPaymentForm, submissionNotice } from './payment-form.ts'
import type { PaymentView } from '../../model/payment-view.ts'

/** `browserPayment`: What the acquirer's component needs to confirm the payment; null where it is not shown here. */
export interface PaymentStatusOptions extends PaymentFormOptions {
  readonly browserPayment: BrowserPaymentView | null
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
  const backUrl = returnUrlOf(view.order, returnResultOf(view.state), view.transactions)
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
  const amount = moneyOnPage(options.language, transaction.amount)
  const cancelForm = html`<form
    method="post"
    action="${options.path}/cancel?lang=${options.language}"
    data-busy="${words.otherWay}"
  >
    <button type="submit" class="quiet">${words.otherWay}</button>
    ${submissionNotice(words)}
  </form>`
  const action = transaction.nextAction
  if (action?.type === 'component_confirmation') {
    return html`<h2 tabindex="-1">${words.pay}</h2>
      ${options.browserPayment !== null && confirmingComponent(options.browserPayment, words, options.language)}
      ${waitingNotice(words, options)} ${cancelForm}`
  }
  if (isWallet(transaction)) {
    return html`${walletAction(transaction, url, words, options)} ${waitingNotice(words, options)}
    ${cancelForm}`
  }
  return html`<h2 tabindex="-1">${words.bankTitle}</h2>
    <p>${say(words.bankText, { amount })}</p>
    ${bankButton(url, action?.form, words)} ${waitingNotice(words, options)} ${cancelForm}`
}

function isWallet({ paymentMethod }: Transaction): boolean {
  return paymentMethod === 'wallet_a_pay' || paymentMethod === 'wallet_b' || paymentMethod === 'fps'
}

/** A desktop shows a code, a phone opens the app. Some wallets have both: the page behind the button is theirs. */
function walletAction(
  transaction: Transaction,
  url: string,
  words: Words,
  options: PaymentStatusOptions,
): Html {
  const { paymentMethod } = transaction
  const amount = moneyOnPage(options.language, transaction.amount)
  const isFps = paymentMethod === 'fps'
  const wallet = isFps ? words.fps : paymentMethod === 'wallet_b' ? words.walletB : words.walletAPay
  const hasCode = codeOf(transaction.nextAction) !== null
  const walletText = hasCode ? (url === '' ? words.scanText : words.walletText) : words.openText
  return html`<h2 tabindex="-1">
      ${walletMark(transaction)} ${isFps ? words.fpsTitle : say(words.walletTitle, { wallet })}
    </h2>
    <p>${say(isFps && hasCode ? words.fpsText : walletText, { wallet, amount })}</p>
    ${
      hasCode &&
      html`<p class="qr">
        <img
          src="${options.path}/wallet.svg?of=${transaction.id}"
          alt="${say(words.walletTitle, { wallet })}"
          width="180"
          height="180"
        />
      </p>`
    }
    ${
      url !== '' &&
      html`<p>
        <a class="button" href="${url}" ${hasCode && html` target="_blank"`} rel="noopener noreferrer"
          >${say(words.walletButton, { wallet })}</a
        >
      </p>`
    }`
}

function walletMark({ paymentMethod, instrument }: Transaction): Html | false {
  return methodMark(paymentMethod, instrument.wallet ?? null)
}

/** Some banks take the payer only with members that are sent by POST. */
function bankButton(url: string, members: Readonly<Record<string, string>> | undefined, words: Words): Html {
  if (members === undefined) return html`<p><a class="button" href="${url}">${words.bankButton}</a></p>`
  return html`<form method="post" action="${url}">
    ${Object.entries(members).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button type="submit">${words.bankButton}</button>
  </form>`
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
  const exitUrl = exitUrlOf(order, view.state, view.transactions)
  const isPaid = kind === 'paid' || kind === 'refunded'
  const amount = moneyOnPage(options.language, refundedTotal(order, view.transactions))
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
