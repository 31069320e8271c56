/** The name of a language in the language of the console, such as "German". */
export function languageName(tag: string, language: string): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag
}
