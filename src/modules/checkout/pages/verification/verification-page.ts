import { withWalletNames } from '../../words/all-words.ts'
import type { Brand } from '../../model/brand.ts'
import { html } from '#platform/http/html'
import { brandName } from '../../instruments/card-brand.ts'
import { renderPage } from '../page.ts'
import { type StatusContent, statusSection } from '../status-section.ts'
import type { VerificationDetails } from '#modules/customers'
import type { Environment } from '#platform/caller'
import type { PageContext } from '../link-request.ts'
import { say, type Words } from '../../words/words.ts'

export interface VerificationView {
  readonly brand: Brand
  readonly environment: Environment
  readonly verification: VerificationDetails
}

export function renderVerificationStatus(
  view: VerificationView,
  { words: defaultWords, path, language }: PageContext,
): StatusContent {
  const words = withWalletNames(defaultWords, view.brand.walletNames)
  const { verification, brand } = view
  const { name } = brand
  const { state, confirmUrl, returnUrl } = verification
  const card = instrumentName(verification, words)
  const back =
    returnUrl !== null &&
    html`<p><a class="button" href="${returnUrl}">${say(words.goBack, { name })}</a></p>`
  const version = `${state}-${confirmUrl === null ? '' : 'payer'}`
  if (state === 'pending' && confirmUrl !== null) {
    const text = verification.tokenType === 'CreditCard' ? words.verifyText : words.verifyWalletText
    return {
      version,
      isWaiting: true,
      html: html`<h2 tabindex="-1">${words.verifyTitle}</h2>
        <p>${say(text, { card, name })}</p>
        <p><a class="button" href="${confirmUrl}">${words.verifyButton}</a></p>`,
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
      return `${brandName(verification.brand, words)} **** ${verification.maskedNumber.slice(-4)}`
  }
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
