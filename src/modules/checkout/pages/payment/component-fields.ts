import { say } from '#kernel/say'
import type { AccountComponent, BrowserPayment } from '#modules/acquirers'
import { html, type Html } from '#platform/http/html'
import type { FieldProblems } from '../../instruments/card-form.ts'
import type { Language } from '../../words/language.ts'
import { type Words } from '../../words/words.ts'
import { cardField } from './card-field.ts'

/** What the acquirers call a language where that is not its own tag. They show English for one that they do not have. */
const LOCALES: Readonly<Record<string, Readonly<Partial<Record<Language, string>>>>> = {
  stripe: { 'zh-Hant': 'zh-HK', 'zh-Hans': 'zh' },
  adyen: {
    en: 'en-US',
    'zh-Hant': 'zh-TW',
    'zh-Hans': 'zh-CN',
    ar: 'ar',
    de: 'de-DE',
    es: 'es-ES',
    fr: 'fr-FR',
    ja: 'ja-JP',
    ko: 'ko-KR',
    pt: 'pt-BR',
    th: 'th-TH',
    vi: 'vi-VN',
  },
  airwallex: { 'zh-Hant': 'zh-HK', 'zh-Hans': 'zh' },
}
const OTHER_LOCALE: Readonly<Record<string, string>> = { adyen: 'en-US' }

export function componentFields(
  component: AccountComponent,
  words: Words,
  { language, problems }: { readonly language: Language; readonly problems?: FieldProblems },
): Html {
  const account = html`<input type="hidden" name="account" value="${component.accountId}" />`
  if (component.confirmsInBrowser)
    return html`${account}
      <p class="hint">${words.componentHint}</p>`
  return html`${account}
    <input type="hidden" name="component_data" value="" />
    <div data-component="${JSON.stringify(configurationOf(component, words, language))}">
      <noscript><p class="problem">${words.cardFormNeedsScript}</p></noscript>
      <p class="component-loading" data-loading hidden>
        <span class="spinner" aria-hidden="true"></span> ${words.cardFormLoading}
      </p>
      <p class="problem" data-failed role="alert" hidden></p>
      <div data-fields hidden>${FIELDS[component.acquirer]?.(words, problems) ?? ''}</div>
    </div>`
}

export interface BrowserPaymentView {
  readonly component: AccountComponent
  readonly payment: BrowserPayment
}

/** The component of a payment that exists already. It needs the script, as any component of an acquirer does. */
export function confirmingComponent(
  { component, payment }: BrowserPaymentView,
  words: Words,
  language: Language,
): Html {
  const { id, clientSecret, amount, keepsFor } = payment
  const configuration = {
    ...configurationOf(component, words, language),
    intentId: id,
    clientSecret,
    currency: amount.currency,
    keepsFor,
  }
  return html`<div data-component="${JSON.stringify(configuration)}">
    <noscript><p class="problem">${words.cardFormNeedsScript}</p></noscript>
    <p class="component-loading" data-loading hidden>
      <span class="spinner" aria-hidden="true"></span> ${words.cardFormLoading}
    </p>
    <p class="problem" data-failed role="alert" hidden></p>
    <div data-fields hidden><div class="component-panel" id="component"></div></div>
  </div>`
}

/** Of components that collect a card, not of those that confirm a payment. */
const FIELDS: Readonly<Record<string, (words: Words, problems: FieldProblems | undefined) => Html>> = {
  stripe: (words, problems) => html`
    ${hostedField('number', words.cardNumber)}
    <div class="pair">
      ${hostedField('expiry', words.expiry, words.expiryHint)} ${hostedField('cvc', words.cvc, words.cvcHint)}
    </div>
    ${cardField('name', words.holderName, problems, html`autocomplete="cc-name" maxlength="255" spellcheck="false"`)}
  `,
  adyen: () =>
    html`<div class="field" data-name="component">
      <div class="component-panel" id="component"></div>
      <p class="field-problem" id="component-problem" role="alert"></p>
    </div>`,
}

/**
 * A field in a frame of the acquirer. The frame has an accessible name of its own and cannot refer to texts of this
 * page.
 */
function hostedField(name: 'number' | 'expiry' | 'cvc', label: string, hint?: string): Html {
  return html`<div class="field" data-name="${name}">
    <label for="${name}">${label}</label>
    <div class="hosted-field" id="${name}"></div>
    ${hint !== undefined && html`<p class="hint">${hint}</p>`}
    <p class="field-problem" id="${name}-problem" role="alert"></p>
  </div>`
}

function configurationOf(component: AccountComponent, words: Words, language: Language): object {
  const { acquirer, publicKey, environment, scriptUrl, styleUrl } = component
  const { problems } = words
  const cvc = (digits: string): string => say(problems.cvcInvalid, { digits })
  return {
    acquirer,
    publicKey,
    environment,
    scriptUrl,
    styleUrl,
    locale: LOCALES[acquirer]?.[language] ?? OTHER_LOCALE[acquirer] ?? language,
    says: {
      failed: words.cardFormFailed,
      summary: problems.summary,
      numberMissing: problems.numberMissing,
      numberInvalid: problems.numberInvalid,
      expiryInvalid: problems.expiryInvalid,
      expiryPast: problems.expiryPast,
      cvc3: cvc('3'),
      cvc4: cvc('4'),
      nameMissing: problems.nameMissing,
      network: problems.network,
      refused: words.declinedText,
    },
  }
}
