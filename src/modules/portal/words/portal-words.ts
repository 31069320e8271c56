import { readFileSync } from 'node:fs'
import { type Language, LANGUAGES } from '#modules/checkout'

/** The texts of the portal's pages, beside those that it shares with the hosted pages. */
export interface PortalWords {
  readonly account: string
  readonly openTitle: string
  readonly openText: string
  readonly openButton: string
  readonly signInTitle: string
  readonly signInText: string
  readonly signInButton: string
  readonly sentTitle: string
  readonly sentText: string
  readonly endedTitle: string
  readonly endedText: string
  readonly oldTitle: string
  readonly oldText: string
  readonly newLink: string
  readonly readOnly: string
  readonly saved: string
  readonly signOut: string
  readonly plans: string
  readonly invoices: string
  readonly cards: string
  readonly details: string
  readonly noPlans: string
  readonly manage: string
  readonly nextBill: string
  readonly endsOn: string
  readonly pausedUntil: string
  readonly trialUntil: string
  readonly chargedTo: string
  readonly noCard: string
  readonly change: string
  readonly choosePrice: string
  readonly preview: string
  readonly changesOn: string
  readonly confirmChange: string
  readonly otherChoice: string
  readonly pause: string
  readonly pauseText: string
  readonly pauseUntil: string
  readonly resume: string
  readonly cancel: string
  readonly cancelText: string
  readonly reason: string
  readonly comment: string
  readonly keepPlan: string
  readonly offerTitle: string
  readonly offerText: string
  readonly acceptOffer: string
  readonly comeBack: string
  readonly noInvoices: string
  readonly older: string
  readonly defaultCard: string
  readonly pendingCard: string
  readonly makeDefault: string
  readonly remove: string
  readonly addCard: string
  readonly addCardText: string
  readonly save: string
  readonly states: Readonly<Record<string, string>>
  readonly invoiceStates: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
  readonly problems: {
    readonly other: string
    readonly total_changed: string
    readonly nothing_changes: string
    readonly offer_spent: string
    readonly token_in_use: string
    readonly until_invalid: string
    readonly tax_id_invalid: string
    readonly payment_in_progress: string
    readonly card_failed: string
  }
}

const WORDS: ReadonlyMap<Language, PortalWords> = new Map(
  LANGUAGES.map((language) => {
    const file = new URL(`./languages/${language}.json`, import.meta.url)
    return [language, JSON.parse(readFileSync(file, 'utf8')) as PortalWords]
  }),
)

export function portalWordsOf(language: Language): PortalWords {
  const words = WORDS.get(language)
  if (words === undefined) throw new Error(`no language ${language}`)
  return words
}
