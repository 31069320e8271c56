import { freeTotal, type Transaction } from '#modules/payments'
import { html, type Html } from '#platform/http/html'
import { type OrderEnd, resultOf, returnAddress, wayOut } from '../paying/checkout-order.ts'
import type { FieldProblems } from '../paying/card-form.ts'
import { moneyText } from '../words/money-text.ts'
import { refundedTotal } from '../words/order-summary.ts'
import { orderEndWords } from '../words/order-end-words.ts'
import type { Panel } from './panel.ts'
import type { PaymentView } from './payment-view.ts'
import { say, type Words } from '../words/words.ts'

export interface PanelOptions {
  /** The path of the page. */
  readonly path: string
  readonly language: string
  /** Names one attempt to pay: sent twice, it is one. */
  readonly attempt: string
  readonly problems?: FieldProblems
  readonly receiptUrl: string | null
  /** Where the payer confirms a card that is to be kept. */
  readonly saveUrl: string | null
}

export function renderPanel(view: PaymentView, words: Words, options: PanelOptions): Panel {
  const { standing } = view
  const version = versionOf(view)
  switch (standing.kind) {
    case 'payable':
      return {
        version,
        html: paymentForm(view, standing.lastFailed, words, options),
        isWaiting: false,
      }
    case 'action':
      return {
        version,
        html: actionPanel(standing.transaction, standing.url, words, options),
        isWaiting: true,
      }
    case 'processing':
      return { version, html: processingPanel(words, options), isWaiting: true }
    case 'paid':
    case 'refunded':
    case 'voided':
    case 'expired':
    case 'closed':
      return { version, html: endPanel(view, standing.kind, words, options), isWaiting: false }
  }
}

function versionOf({ standing, order }: PaymentView): string {
  if (standing.kind === 'action') return `action-${standing.transaction.id}`
  if (standing.kind === 'payable') {
    return `payable-${order.paidTotal.toString()}-${standing.lastFailed?.id ?? ''}`
  }
  return standing.kind
}

function paymentForm(
  view: PaymentView,
  lastFailed: Transaction | null,
  words: Words,
  options: PanelOptions,
): Html {
  const { order, businessName } = view
  const { problems } = options
  const amount = freeTotal(order)
  const cancel = returnAddress(order, resultOf(view.standing))
  return html`<h2 tabindex="-1">${words.pay}</h2>
    ${problems !== undefined && html`<div class="problem" role="alert"><p>${problems.amount ?? problems.method ?? words.problems.summary}</p></div>`}
    ${problems === undefined && lastFailed !== null && declinedNotice(lastFailed, words)}
    <form
      method="post"
      action="${options.path}?lang=${options.language}"
      novalidate
      data-busy="${words.paying}"
    >
      <input type="hidden" name="attempt" value="${options.attempt}" />
      <input type="hidden" name="amount" value="${amount.toString()}" />
      <fieldset class="methods">
        <legend class="visually-hidden">${words.method}</legend>
        ${methodChoice('credit_card', words.card, true)}
        ${methodChoice('wallet_a_pay', words.walletAPay, false)}
        ${methodChoice('wallet_b', words.walletB, false)}
      </fieldset>
      <div class="card-fields">
        ${field('number', words.cardNumber, problems, html`inputmode="numeric" autocomplete="cc-number" maxlength="23" placeholder="0000 0000 0000 0000" spellcheck="false"`)}
        <div class="pair">
          ${field('expiry', words.expiry, problems, html`inputmode="numeric" autocomplete="cc-exp" maxlength="9" placeholder="MM / YY" spellcheck="false"`, words.expiryHint)}
          ${field('cvc', words.cvc, problems, html`inputmode="numeric" autocomplete="cc-csc" maxlength="4" spellcheck="false"`, words.cvcHint)}
        </div>
        ${field('name', words.holderName, problems, html`autocomplete="cc-name" maxlength="255" spellcheck="false"`)}
        ${
          order.customerUuid !== null &&
          html`<label class="choice"
            ><input type="checkbox" name="save" value="yes" />
            <span>${say(words.saveCard, { name: businessName })}</span></label
          >`
        }
      </div>
      <p class="wallet-hint">${words.walletHint}</p>
      <button type="submit">${say(words.payAmount, { amount: moneyText(amount) })}</button>
      ${networkNotice(words)}
    </form>
    ${cancel !== null && html`<p class="leave"><a href="${cancel}">${say(words.cancel, { name: businessName })}</a></p>`}`
}

/** Where the script says that a form could not be sent. */
function networkNotice(words: Words): Html {
  return html`<p class="problem" role="alert" data-network="${words.problems.network}" hidden></p>`
}

function methodChoice(value: string, label: string, checked: boolean): Html {
  return html`<label class="choice"
    ><input type="radio" name="method" value="${value}" ${checked && html` checked`} />
    <span>${label}</span></label
  >`
}

function field(
  name: 'number' | 'expiry' | 'cvc' | 'name',
  label: string,
  problems: FieldProblems | undefined,
  attributes: Html,
  hint?: string,
): Html {
  const problem = problems?.[name]
  const described = hint === undefined ? `${name}-problem` : `${name}-hint ${name}-problem`
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="text"
      required
      aria-describedby="${described}"
      ${problem !== undefined && html` aria-invalid="true"`}
      ${attributes}
    />
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <p class="field-problem" id="${name}-problem">${problem}</p>
  </div>`
}

function declinedNotice(transaction: Transaction, words: Words): Html {
  const { failure, responseCode: code } = transaction.answer
  // The payer took it back, or let the time run out: nobody declined it.
  if (failure === 'canceled') return html`<p role="status">${words.declines[code]}</p>`
  return html`<div class="problem" role="alert">
    <p><strong>${words.declinedTitle}</strong></p>
    <p>${words.declines[code] ?? words.declinedText}</p>
  </div>`
}

function actionPanel(transaction: Transaction, url: string, words: Words, options: PanelOptions): Html {
  const amount = moneyText(transaction.amount)
  const otherWay = html`<form
    method="post"
    action="${options.path}/cancel?lang=${options.language}"
    data-busy="${words.otherWay}"
  >
    <button type="submit" class="quiet">${words.otherWay}</button>
    ${networkNotice(words)}
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
      ${waitingNotice(words, options)} ${otherWay}`
  }
  return html`<h2 tabindex="-1">${words.bankTitle}</h2>
    <p>${say(words.bankText, { amount })}</p>
    <p><a class="button" href="${url}">${words.bankButton}</a></p>
    ${waitingNotice(words, options)} ${otherWay}`
}

function processingPanel(words: Words, options: PanelOptions): Html {
  return html`<h2 tabindex="-1">${words.processingTitle}</h2>
    <p>${words.processingText}</p>
    ${waitingNotice(words, options)}`
}

/** Without a script the payer looks again; with it, after it has given up asking. */
function waitingNotice(words: Words, options: PanelOptions): Html {
  return html`<p class="waiting">
    <span class="spinner" aria-hidden="true"></span> ${words.stillWaiting}
    <a href="${options.path}?lang=${options.language}&back=1">${words.checkAgain}</a>
  </p>`
}

function endPanel(view: PaymentView, kind: OrderEnd, words: Words, options: PanelOptions): Html {
  const { order, businessName } = view
  const said = orderEndWords(kind, words)
  const back = wayOut(order, view.standing)
  const isPaid = kind === 'paid' || kind === 'refunded'
  const amount = moneyText(refundedTotal(order, view.transactions))
  return html`<h2 tabindex="-1" class="${isPaid ? 'good' : 'over'}">${said.title}</h2>
    <p>${say(said.text, { amount })}</p>
    ${
      options.saveUrl !== null &&
      html`<p>${words.savePendingText}</p>
        <p><a class="button" href="${options.saveUrl}">${words.savePendingButton}</a></p>`
    }
    ${back !== null && html`<p><a class="button" href="${back}">${say(words.goBack, { name: businessName })}</a></p>`}
    ${options.receiptUrl !== null && html`<p><a href="${options.receiptUrl}">${words.download}</a></p>`}`
}
