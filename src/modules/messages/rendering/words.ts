import { readdirSync, readFileSync } from 'node:fs'
import { languageOfTag } from '#kernel/language-tags'
import { memoize } from '#kernel/memoize'
import type { MessageKind } from '../model/kinds.ts'
import type { ActionKind, DetailLabel } from './content.ts'

/** The texts of a kind, or of a variant of it. Sentences of `intro` that name a value which is missing are left out. */
interface KindWords {
  readonly subject: string
  readonly title: string
  readonly intro: readonly string[]
}

export type MessageName =
  | MessageKind
  | 'receipt_with_invoice'
  | 'payment_failed_last'
  | 'plan_canceled_scheduled'

/** - `pair`: How a label and its value stand on one line. */
export interface MessageWords {
  readonly greeting: string
  readonly messages: Readonly<Record<MessageName, KindWords>>
  readonly actions: Readonly<Record<ActionKind, string>>
  readonly labels: Readonly<Record<DetailLabel, string>>
  readonly declines: Readonly<Record<string, string>>
  readonly methods: Readonly<Record<'card' | 'bank_transfer' | 'cash' | 'cheque' | 'other', string>>
  readonly lines: Readonly<
    Record<
      'item' | 'proration' | 'discount' | 'credit' | 'to_credit' | 'tax' | 'tips' | 'rounding' | 'surcharge',
      string
    >
  >
  readonly pair: string
  readonly attached: string
  readonly contact: string
  readonly unsubscribe: string
  readonly testMode: string
}

const FOLDER = new URL('./languages/', import.meta.url)

/** A language is added by its file alone. They are those of the hosted pages. */
export const MESSAGE_LANGUAGES: readonly string[] = readdirSync(FOLDER)
  .map((file) => file.replace(/\.json$/, ''))
  .toSorted()

/** The language of messages that a tag such as `pt-BR` names; undefined if there is none. */
export function messageLanguage(tag: string): string | undefined {
  return languageOfTag(tag, MESSAGE_LANGUAGES)
}

/** Read once they are needed, because most businesses write in one or two languages. */
export const wordsOf = memoize((language: string): MessageWords => {
  if (!MESSAGE_LANGUAGES.includes(language)) throw new Error(`no language ${language}`)
  return JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), 'utf8')) as MessageWords
})
