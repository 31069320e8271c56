import type { Language } from './language.ts'
import { EN } from './words.en.ts'
import { ZH_HANS } from './words.zh-hans.ts'
import { ZH_HANT } from './words.zh-hant.ts'
import type { Words } from './words.ts'

export const WORDS: Readonly<Record<Language, Words>> = { en: EN, 'zh-Hant': ZH_HANT, 'zh-Hans': ZH_HANS }
