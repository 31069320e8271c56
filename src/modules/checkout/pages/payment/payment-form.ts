import { say } from '#kernel/say'
import { type PaymentOffer, type WalletName, walletOf } from '#modules/acquirers'
import type { PaymentToken } from '#modules/customers'
import { freeTotal, type Transaction } from '#modules/payments'
import { html, type Html } from '#platform/http/html'
import { returnResultOf, returnUrlOf } from '../../model/checkout-state.ts'
import type { FieldProblems } from '../../instruments/card-form.ts'
import { methodMark } from '../../instruments/wallet-marks.ts'
import { moneyOnPage } from '#platform/documents/payer-figures'
import { type Words } from '../../words/words.ts'
import type { Language } from '../../words/language.ts'
import { cardField, numberField } from './card-field.ts'
import { cardChoice, type SavedCards, savedCardsPanel } from './saved-cards.ts'
import { componentFields } from './component-fields.ts'
import { timeLeftToPay } from './time-left.ts'
import type { PaymentView } from '../../model/payment-view.ts'

export interface PaymentFormOptions {
  readonly path: string
  readonly language: Language
  readonly attempt: string
  readonly problems?: FieldProblems
  readonly offer: PaymentOffer
  readonly saved: SavedCards
}

export function renderPaymentForm(
  view: PaymentView,
  lastFailed: Transaction | null,
  words: Words,
  options: PaymentFormOptions,
): Html {
  const { order, businessName } = view
  const { problems, offer, saved } = options
  const cards = saved.kind === 'proved' ? saved.cards : []
  const methods = METHODS.filter((method) => offer.methods.has(method))
  const amount = freeTotal(order)
  const cancelUrl = returnUrlOf(order, returnResultOf(view.state), view.transactions)
  if (methods.length === 0 && cards.length === 0) {
    return html`<h2 tabindex="-1">${words.pay}</h2>
      <p>${words.noMethod}</p>`
  }
  return html`<h2 tabindex="-1">${words.pay}</h2>
    ${view.timeLeft !== null && timeLeftToPay(view.timeLeft, words, options.language)}
    ${problems !== undefined && problemNotice(problems, words)}
    ${problems === undefined && lastFailed !== null && failureNotice(lastFailed, words)}
    ${savedCardsPanel(saved, words, { ...options, name: businessName })}
    <form
      method="post"
      action="${options.path}?lang=${options.language}"
      novalidate
      data-busy="${words.paying}"
      ${methods.length === 1 && cards.length === 0 && html` class="only-${methods[0]}"`}
    >
      <input type="hidden" name="attempt" value="${options.attempt}" />
      <input type="hidden" name="amount" value="${amount.toString()}" />
      ${methodChoices(methods, cards, offer, words)}
      <div class="card-fields">
        ${offer.component === null ? ownFields(words, problems) : componentFields(offer.component, words, options)}
        ${
          order.customerUuid !== null &&
          html`<label class="choice"
              ><input type="checkbox" name="save" value="yes" aria-describedby="save-hint" />
              <span>${say(words.saveCard, { name: businessName })}</span></label
            >
            <p class="hint" id="save-hint">
              ${offer.component?.confirmsInBrowser !== true && words.saveCardHint}
              ${view.savedCardBecomesDefault && say(words.saveCardDefault, { name: businessName })}
            </p>`
        }
      </div>
      <p class="wallet-hint">${words.walletHint}</p>
      <button type="submit">
        ${say(words.payAmount, { amount: moneyOnPage(options.language, amount) })}
      </button>
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

function problemNotice(problems: FieldProblems, words: Words): Html {
  const { amount, account, component, method } = problems
  return html`<div class="problem" role="alert">
    <p>${amount ?? account ?? component ?? method ?? words.problems.summary}</p>
  </div>`
}

const METHODS = ['credit_card', 'wallet_a_pay', 'wallet_b', 'fps'] as const
type Method = (typeof METHODS)[number]

function methodChoices(
  methods: readonly Method[],
  cards: readonly PaymentToken[],
  { wallets }: PaymentOffer,
  words: Words,
): Html {
  if (methods.length === 1 && cards.length === 0)
    return html`<input type="hidden" name="method" value="${methods[0]}" />`
  return html`<fieldset class="methods">
    <legend class="visually-hidden">${words.method}</legend>
    ${cards.map((card, index) => cardChoice(card, words, index === 0))}
    ${methods.map((method, index) => methodChoice(method, walletOf(wallets, method), words, { isFirst: cards.length + index === 0, hasCards: cards.length > 0 }))}
  </fieldset>`
}

function methodChoice(
  method: Method,
  wallet: WalletName | null,
  words: Words,
  { isFirst, hasCards }: { readonly isFirst: boolean; readonly hasCards: boolean },
): Html {
  const label = {
    credit_card: hasCards ? words.otherCard : words.card,
    wallet_a_pay: words.walletAPay,
    wallet_b: words.walletB,
    fps: words.fps,
  }[method]
  return html`<label class="choice"
    ><input type="radio" name="method" value="${method}" ${isFirst && html` checked`} />
    ${methodMark(method, wallet)} <span>${label}</span></label
  >`
}

function ownFields(words: Words, problems: FieldProblems | undefined): Html {
  return html`${numberField(words, problems)}
    <div class="pair">
      ${cardField('expiry', words.expiry, problems, html`inputmode="numeric" autocomplete="cc-exp" maxlength="9" placeholder="MM / YY" spellcheck="false"`, words.expiryHint)}
      ${cardField('cvc', words.cvc, problems, html`inputmode="numeric" autocomplete="cc-csc" maxlength="4" spellcheck="false"`, words.cvcHint)}
    </div>
    ${cardField('name', words.holderName, problems, html`autocomplete="cc-name" maxlength="255" spellcheck="false"`)}`
}
