import { say } from '#kernel/say'
import type { PaymentToken } from '#modules/customers'
import { html, type Html } from '#platform/http/html'
import { brandMark, brandName } from '../../instruments/card-brand.ts'
import { SAVED_PREFIX } from '../../instruments/card-form.ts'
import { CODE_MINUTES } from '../../payers/payer-codes.ts'
import type { Language } from '../../words/language.ts'
import { type Words } from '../../words/words.ts'
import { timer } from '../timer.ts'

export type SavedCards =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly email: string; readonly problem: string | null }
  | { readonly kind: 'code'; readonly id: string; readonly email: string; readonly problem: string | null }
  | { readonly kind: 'proved'; readonly cards: readonly PaymentToken[] }

export function cardChoice(card: PaymentToken, words: Words, isChecked: boolean): Html {
  const brand = card.brand ?? ''
  const expires =
    card.expMonth !== null &&
    card.expYear !== null &&
    say(words.cardExpires, { date: `${String(card.expMonth).padStart(2, '0')}/${card.expYear}` })
  return html`<label class="choice"
    ><input type="radio" name="method" value="${SAVED_PREFIX}${card.token}" ${isChecked && html` checked`} />
    ${brandMark(brand)}<span
      ><bdi>${brandName(brand, words)} •••• ${card.last4}</bdi
      >${expires !== false && html`<span class="expires">${expires}</span>`}</span
    ></label
  >`
}

interface PanelOptions {
  readonly path: string
  readonly language: Language
  readonly name: string
}

export function savedCardsPanel(saved: SavedCards, words: Words, options: PanelOptions): Html | false {
  const action = (step: string): string => `${options.path}/${step}?lang=${options.language}`
  switch (saved.kind) {
    case 'none':
      return false
    case 'proved':
      return html`<form
        class="hide-cards"
        method="post"
        action="${action('forget')}"
        data-busy="${words.hideCards}"
      >
        ${saved.cards.length === 0 && html`<p>${words.noSavedCards}</p>`}
        <button type="submit" class="plain">${words.hideCards}</button>
        ${stepNotice(words)}
      </form>`
    case 'unknown':
      return html`<details class="saved" ${saved.problem !== null && html` open`}>
        <summary>${words.useSavedCard}</summary>
        <p>${say(words.savedCardsText, { name: options.name })}</p>
        <form method="post" action="${action('code')}" novalidate data-busy="${words.sending}">
          ${field('email', words.email, saved.problem, html`type="email" autocomplete="email" maxlength="255" value="${saved.email}"`)}
          <button type="submit" class="quiet">${words.sendCode}</button>
          ${stepNotice(words)}
        </form>
      </details>`
    case 'code':
      return html`<details class="saved" open>
        <summary>${words.useSavedCard}</summary>
        <p role="status">${say(words.codeSent, { name: options.name, email: saved.email })}</p>
        ${timer(words.codeTimeLeft, CODE_MINUTES * 60)}
        <form method="post" action="${action('proof')}" novalidate data-busy="${words.confirming}">
          <input type="hidden" name="code_id" value="${saved.id}" />
          <input type="hidden" name="email" value="${saved.email}" />
          ${field('code', words.code, saved.problem, html`type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="9" spellcheck="false"`, words.codeHint)}
          <button type="submit" class="quiet">${words.confirmCode}</button>
          ${stepNotice(words)}
        </form>
        <form method="post" action="${action('code')}" data-busy="${words.sending}">
          <input type="hidden" name="email" value="${saved.email}" />
          <button type="submit" class="plain">${words.newCode}</button>
          ${stepNotice(words)}
        </form>
      </details>`
  }
}

function field(name: string, label: string, problem: string | null, attributes: Html, hint?: string): Html {
  const describedBy = `${hint === undefined ? '' : `${name}-hint `}${name}-problem`
  return html`<div class="field" data-name="${name}">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      required
      aria-describedby="${describedBy}"
      ${problem !== null && html` aria-invalid="true" autofocus`}
      ${attributes}
    />
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <p class="field-problem" id="${name}-problem" role="alert">${problem}</p>
  </div>`
}

function stepNotice(words: Words): Html {
  return html`<p
    class="problem"
    role="alert"
    data-network="${words.unavailableTitle}"
    data-limited="${words.tooManyRequestsText}"
    hidden
  ></p>`
}
