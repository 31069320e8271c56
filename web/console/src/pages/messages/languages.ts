/** The languages of messages, which are those of the hosted pages. */
export const MESSAGE_LANGUAGES = [
  'en',
  'zh-Hant',
  'zh-Hans',
  'ar',
  'de',
  'es',
  'fr',
  'id',
  'ja',
  'ko',
  'ms',
  'pt',
  'th',
  'vi',
] as const
export type MessageLanguage = (typeof MESSAGE_LANGUAGES)[number]

export function isMessageLanguage(tag: string | null): tag is MessageLanguage {
  return MESSAGE_LANGUAGES.some((language) => language === tag)
}
