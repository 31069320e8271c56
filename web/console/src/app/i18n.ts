import i18next, { type BackendModule, type PostProcessorModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { withoutWideSpaces } from '#components/joined.ts'
import { readStored, writeStored } from '#app/stored.ts'

export const LANGUAGES = {
  en: 'English',
  'zh-Hant': '繁體中文',
  'zh-Hans': '简体中文',
} as const satisfies Record<string, string>

export type Language = keyof typeof LANGUAGES

const TEXTS = import.meta.glob<object>('../locales/*/*.json', { import: 'default' })

/** Loads the texts of an area when its first page opens. */
const lazyTexts: BackendModule = {
  type: 'backend',
  init: () => {},
  callbackApi: false,
  // With `callbackApi: false` the library awaits the result, which its type does not say.
  // oxlint-disable-next-line typescript/no-misused-promises
  read: (language, area) => readTexts(language, area),
}

async function readTexts(language: string, area: string): Promise<object> {
  const load = TEXTS[`../locales/${language}/${area}.json`]
  if (load === undefined) throw new Error(`There are no texts ${language}/${area}.json.`)
  return load()
}

const chineseSpaces: PostProcessorModule = {
  type: 'postProcessor',
  name: 'chineseSpaces',
  process: (text, _key, values) => withoutWideSpaces(text, values),
}

export async function startI18n(): Promise<void> {
  await i18next
    .use(lazyTexts)
    .use(initReactI18next)
    .use(chineseSpaces)
    .init({
      lng: readStored('language', isLanguage) ?? languageOf(navigator.languages),
      fallbackLng: 'en',
      supportedLngs: Object.keys(LANGUAGES),
      load: 'currentOnly',
      ns: ['app', 'components'],
      defaultNS: 'app',
      postProcess: [chineseSpaces.name],
      // React escapes.
      interpolation: { escapeValue: false },
    })
  showLanguage(i18next.language)
  i18next.on('languageChanged', showLanguage)
}

export async function changeLanguage(language: Language): Promise<void> {
  writeStored('language', language)
  await i18next.changeLanguage(language)
}

function showLanguage(language: string): void {
  document.documentElement.lang = language
}

function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value)
}

/** Chrome names the locale of a system with POSIX locales `en-US@posix`, which is no language tag. */
function localeOf(tag: string): Partial<Intl.Locale> {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return {}
  }
}

/** Chinese without a script is Simplified, except where Traditional is written. */
function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const { language, script, region } = localeOf(tag)
    if (language === 'en') return 'en'
    if (language === 'zh') return script === 'Hant' || region === 'HK' ? 'zh-Hant' : 'zh-Hans'
  }
  return 'en'
}
