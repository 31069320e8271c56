import { freeTotal, type Transaction } from '#modules/payments'
import { html, type Html } from '#platform/http/html'
import { returnResultOf, returnUrlOf } from '../../attempts/checkout-state.ts'
import type { FieldProblems } from '../../attempts/card-form.ts'
import { moneyText } from '../../words/money-text.ts'
import { say, type Words } from '../../words/words.ts'
import type { PaymentView } from './payment-view.ts'

export interface PaymentFormOptions {
  readonly path: string
  readonly language: string
  /** Identifies one attempt to pay, like an Idempotency-Key. */
  readonly attempt: string
  readonly problems?: FieldProblems
}

export function renderPaymentForm(
  view: PaymentView,
  lastFailed: Transaction | null,
  words: Words,
  options: PaymentFormOptions,
): Html {
  const { order, businessName } = view
  const { problems } = options
  const amount = freeTotal(order)
  const cancelUrl = returnUrlOf(order, returnResultOf(view.state))
  return html`<h2 tabindex="-1">${words.pay}</h2>
    ${problems !== undefined && html`<div class="problem" role="alert"><p>${problems.amount ?? problems.method ?? words.problems.summary}</p></div>`}
    ${problems === undefined && lastFailed !== null && failureNotice(lastFailed, words)}
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
              ><input type="checkbox" name="save" value="yes" aria-describedby="save-hint" />
              <span>${say(words.saveCard, { name: businessName })}</span></label
            >
            <p class="hint" id="save-hint">${words.saveCardHint}</p>`
        }
      </div>
      <p class="wallet-hint">${words.walletHint}</p>
      <button type="submit">${say(words.payAmount, { amount: moneyText(amount) })}</button>
      ${submissionNotice(words)}
    </form>
    ${cancelUrl !== null && html`<p class="cancel"><a href="${cancelUrl}">${say(words.cancel, { name: businessName })}</a></p>`}`
}

export function submissionNotice(words: Words): Html {
  return html`<p
    class="problem"
    role="alert"
    data-network="${words.problems.network}"
    data-limited="${words.tooManyRequestsText}"
    hidden
  ></p>`
}

function failureNotice(transaction: Transaction, words: Words): Html {
  const { failure, responseCode: code } = transaction.answer
  // Nobody declined a payment that the payer canceled or did not confirm in time.
  if (failure === 'canceled') return html`<p role="status">${words.declines[code]}</p>`
  return html`<div class="problem" role="alert">
    <p><strong>${words.declinedTitle}</strong></p>
    <p>${words.declines[code] ?? words.declinedText}</p>
  </div>`
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
  const describedBy = hint === undefined ? `${name}-problem` : `${name}-hint ${name}-problem`
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="text"
      required
      aria-describedby="${describedBy}"
      ${problem !== undefined && html` aria-invalid="true"`}
      ${attributes}
    />
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <p class="field-problem" id="${name}-problem">${problem}</p>
  </div>`
}
