import type { TFunction } from 'i18next'
import { sentence } from '#components/sentence.ts'

/** The reason of a decline in the words of the language, or the code itself where it is an acquirer's own. */
export function declineText(code: string, t: TFunction<'components'>): string {
  return t(`decline.${code}`, { defaultValue: sentence(code) })
}
