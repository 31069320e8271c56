import { say } from '#kernel/say'
import { walletsNamed, withWalletNames } from '../../words/all-words.ts'
import type { Brand } from '../../model/brand.ts'
import { html, type Html } from '#platform/http/html'
import { methodMark } from '../../instruments/wallet-marks.ts'
import { MAX_CODE_LENGTH } from '../../model/payer-action.ts'
import { brandName } from '../../instruments/card-brand.ts'
import { renderPage } from '../page.ts'
import { type StatusContent, statusSection } from '../status-section.ts'
import type { VerificationDetails } from '#modules/customers'
import type { Environment } from '#platform/caller'
import type { PageContext } from '../link-request.ts'
import { type Words } from '../../words/words.ts'

export interface VerificationView {
  readonly brand: Brand
  readonly environment: Environment
  readonly verification: VerificationDetails
}

export function renderVerificationStatus(
  view: VerificationView,
  { words: defaultWords, path, language }: PageContext,
): StatusContent {
  const { verification, brand } = view
  const words = withWalletNames(defaultWords, brand.walletNames, walletsNamed(verification.walletName))
  const { name } = brand
  const { state, confirmUrl, returnUrl } = verification
  const card = instrumentName(verification, words)
  const back =
    returnUrl !== null &&
    html`<p><a class="button" href="${returnUrl}">${say(words.goBack, { name })}</a></p>`
  const version = `${state}-${confirmUrl === null ? '' : 'payer'}`
  if (state === 'pending' && confirmUrl !== null) {
    const isCard = verification.tokenType === 'CreditCard'
    const hasCode = agreementCodeOf(verification) !== null
    return {
      version,
      isWaiting: true,
      html: html`<h2 tabindex="-1">
          ${methodMark('', verification.walletName)} ${isCard ? words.verifyTitle : words.verifyWalletTitle}
        </h2>
        <p>${say(isCard ? words.verifyText : words.verifyWalletText, { card, name })}</p>
        ${
          hasCode &&
          html`<p class="qr">
            <img src="${path}/wallet.svg" alt="${words.verifyWalletTitle}" width="180" height="180" />
          </p>`
        }
        ${confirmButton(confirmUrl, verification.action?.form, words)}`,
    }
  }
  if (state === 'pending') {
    return {
      version,
      isWaiting: true,
      html: html`<h2 tabindex="-1">${words.verifyingTitle}</h2>
        <p>${words.verifyingText}</p>
        <p class="waiting">
          <span class="spinner" aria-hidden="true"></span> ${words.stillWaiting}
          <a href="${path}?lang=${language}">${words.checkAgain}</a>
        </p>`,
    }
  }
  const { title, text } = finalStateWords(state, words)
  return {
    version,
    isWaiting: false,
    html: html`<h2 tabindex="-1" class="${state === 'active' ? 'good' : 'over'}">${title}</h2>
      <p>${say(text, { card, name })}</p>
      ${back}`,
  }
}

function finalStateWords(
  state: Exclude<VerificationDetails['state'], 'pending'>,
  words: Words,
): { title: string; text: string } {
  switch (state) {
    case 'active':
      return { title: words.verifiedTitle, text: words.verifiedText }
    case 'failed':
      return { title: words.verifyFailedTitle, text: words.verifyFailedText }
    case 'expired':
    case 'deleted':
      return { title: words.verifyGoneTitle, text: words.verifyGoneText }
  }
}

function instrumentName(verification: VerificationDetails, words: Words): string {
  switch (verification.tokenType) {
    case 'WalletAPayAutoDebit':
      return words.walletAPay
    case 'WalletBAutoDebit':
      return words.walletB
    case 'CreditCard':
      return `${brandName(verification.brand, words)} •••• ${verification.maskedNumber.slice(-4)}`
  }
}

/** The text of the code by which the payer agrees. Null where there is only a page. */
export function agreementCodeOf({ state, action }: VerificationDetails): string | null {
  const code = state === 'pending' ? (action?.qrCode ?? null) : null
  return code === null || code.length > MAX_CODE_LENGTH ? null : code
}

function confirmButton(
  url: string,
  members: Readonly<Record<string, string>> | undefined,
  words: Words,
): Html | false {
  if (url === '') return false
  if (members === undefined) return html`<p><a class="button" href="${url}">${words.verifyButton}</a></p>`
  return html`<form method="post" action="${url}">
    ${Object.entries(members).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button type="submit">${words.verifyButton}</button>
  </form>`
}

export function renderVerificationPage(
  view: VerificationView,
  content: StatusContent,
  { language, words, basePath, path }: PageContext,
): string {
  return renderPage({
    language,
    basePath,
    title: words.verifyTitle,
    path,
    brand: view.brand,
    isTest: view.environment === 'test',
    hasScript: true,
    body: html`<h1 class="visually-hidden">${view.brand.name}</h1>
      ${statusSection(content, { path, language, basePath, isCentered: true })}`,
  })
}
