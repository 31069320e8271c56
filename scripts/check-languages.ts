/** Holds the translated texts to the glossary (`scripts/glossaries/`) and to the typography of their language. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { invitationMail, LOCALES, resetMail } from '../src/modules/users/mail/messages.ts'
import { UNSUBSCRIBE_WORDS } from '../src/modules/messages/unsubscribe/words.ts'

/**
 * - `en`: A text that says just this in English has `use` in its translation.
 * - `not`: What no text of the language has. A word that begins and ends with letters matches as a whole word, except
 *   in scripts without spaces.
 * - `except`: Longer words in which a part of `not` is right.
 * - `from`: A key of `sources`.
 */
interface Term {
  readonly en: string
  readonly use: string
  readonly not?: readonly string[]
  readonly except?: readonly string[]
  readonly from: string
}

export interface Glossary {
  readonly sources: Readonly<Record<string, string>>
  readonly terms: readonly Term[]
}

/** - `place`: Where people find it: file and key. */
export interface Text {
  readonly place: string
  readonly english: string
  readonly text: string
}

type Tree = { readonly [name: string]: Tree } | string

function* leavesOf(tree: Tree, prefix = ''): Generator<readonly [string, string]> {
  if (typeof tree === 'string') yield [prefix, tree]
  else
    for (const [name, value] of Object.entries(tree))
      yield* leavesOf(value, prefix === '' ? name : `${prefix}.${name}`)
}

function readTree(path: string): Tree {
  return JSON.parse(readFileSync(path, 'utf8')) as Tree
}

/** Chinese has one plural form where English has two. */
const singular = (key: string) => key.replace(/_other$/, '')

function textsOfFile(path: string, englishPath: string): Text[] {
  const english = new Map([...leavesOf(readTree(englishPath))].map(([key, text]) => [singular(key), text]))
  return [...leavesOf(readTree(path))].map(([key, text]) => ({
    place: `${path} ${key}`,
    english: english.get(singular(key)) ?? '',
    text,
  }))
}

const COLUMN = /\bcolumn\(\s*(?:'([^']*)'|"([^"]*)"|`([^`]*)`),\s*['`]([^'`]*)['`],\s*['`]([^'`]*)['`]/g

/** The names of columns in the files that people open in a spreadsheet. */
function columnsOf(language: string): Text[] {
  if (language !== 'zh-Hant' && language !== 'zh-Hans') return []
  return globSync('src/modules/*/api/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(COLUMN)].map(
      ([, plain, quoted, template, hant = '', hans = '']) => ({
        place: path,
        english: plain ?? quoted ?? template ?? '',
        text: language === 'zh-Hant' ? hant : hans,
      }),
    ),
  )
}

function mailsToUsers(language: string): Text[] {
  if (!LOCALES.some((locale) => locale === language)) return []
  const textsIn = (locale: string) =>
    [resetMail(locale, '{url}'), invitationMail(locale, '{business}', '{url}')].flatMap(
      ({ subject, text }) => [subject, text],
    )
  const english = textsIn('en')
  return textsIn(language).map((text, index) => ({
    place: `src/modules/users/mail/messages.ts ${language}`,
    english: english[index] ?? '',
    text,
  }))
}

/** What the page of a mail's unsubscribe link says. */
function unsubscribeTexts(language: string): Text[] {
  const english = new Map(leavesOf({ ...UNSUBSCRIBE_WORDS['en'] }))
  return [...leavesOf({ ...UNSUBSCRIBE_WORDS[language] })].map(([key, text]) => ({
    place: `src/modules/messages/unsubscribe/words.ts ${language}.${key}`,
    english: english.get(key) ?? '',
    text,
  }))
}

export function textsOf(language: string): Text[] {
  const files = [
    ...globSync(`web/console/src/locales/${language}/*.json`),
    ...globSync(`src/modules/*/*/languages/${language}.json`),
  ].toSorted()
  return [
    ...files.flatMap((path) =>
      textsOfFile(
        path,
        path
          .replace(`locales/${language}/`, 'locales/en/')
          .replace(`languages/${language}.json`, 'languages/en.json'),
      ),
    ),
    ...unsubscribeTexts(language),
    ...columnsOf(language),
    ...mailsToUsers(language),
  ]
}

const WITHOUT_SPACES =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}|\p{Script=Arabic}/u

function has(text: string, word: string): boolean {
  if (WITHOUT_SPACES.test(word)) return text.includes(word)
  const escaped = RegExp.escape(word.toLowerCase())
  return new RegExp(String.raw`(?<![\p{L}\p{N}-])${escaped}(?![\p{L}\p{N}-])`, 'u').test(text.toLowerCase())
}

export function againstGlossary({ terms }: Glossary, { place, english, text }: Text): string[] {
  const said = text.replaceAll(/\{\w+\}/g, '{')
  return terms.flatMap(({ en, use, not = [], except = [] }) => {
    const wrong = not
      .filter((word) => {
        const longer = [...except, use].filter((right) => right.includes(word))
        return has(
          longer.reduce((rest, right) => rest.replaceAll(right, ' '), said),
          word,
        )
      })
      .map((word) => `${place}: “${word}” (say ${use}, ${en})`)
    const isLabel = english.toLowerCase() === en.toLowerCase()
    return isLabel && !text.toLowerCase().includes(use.toLowerCase())
      ? [...wrong, `${place}: “${text}” for “${english}” (say ${use})`]
      : wrong
  })
}

interface Rule {
  readonly wrong: RegExp
  readonly instead: string
}

const CHINESE: readonly Rule[] = [
  { wrong: /\p{Script=Han}[,;:?!()]|[,;:?!()]\p{Script=Han}/u, instead: 'full-width punctuation' },
  { wrong: /\p{Script=Han} \p{Script=Han}|[，。；：？！、）] | [，。；：？！、（]/u, instead: 'no space' },
  { wrong: /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u, instead: 'a space between the scripts' },
  { wrong: /\.\.\./, instead: '…' },
  { wrong: /\d %|\}\} %/, instead: '% without a space' },
  { wrong: /["']/, instead: 'the quotes of the language' },
]

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  'zh-Hant': [...CHINESE, { wrong: /[“”‘’]/, instead: '「」' }],
  'zh-Hans': [...CHINESE, { wrong: /[「」『』]/, instead: '“”' }],
  ja: [
    {
      wrong:
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][,;:?!()]|[,;:?!()][\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
      instead: 'full-width punctuation',
    },
    { wrong: /[、。：？（）] /, instead: 'no space' },
    { wrong: /["']/, instead: '「」' },
    { wrong: /\}+[のへにでをはが]/u, instead: 'a space after what is filled in' },
  ],
  ko: [
    { wrong: /[，。、：？！（）]/, instead: 'half-width punctuation' },
    { wrong: /["']/, instead: '“”' },
    {
      wrong: /\p{Script=Hangul}(?:나요|까요|어요|아요|세요|어용|죠)\?/u,
      instead: '-습니까, as the other texts',
    },
  ],
  fr: [
    { wrong: /[^\u202f\u00a0][;:!?»]|«[^\u202f\u00a0]/, instead: 'a narrow no-break space' },
    { wrong: /["']/, instead: '’ or « »' },
  ],
  de: [{ wrong: /["'“](?<!„[^“]*“)/, instead: '’ or „“' }],
  es: [
    { wrong: /^[^¿]*\?/, instead: '¿' },
    { wrong: /^[^¡]*!/, instead: '¡' },
    { wrong: /["']/, instead: '«»' },
  ],
  ar: [{ wrong: /[,;?]/, instead: '، ؛ ؟' }],
  th: [{ wrong: /\p{Script=Thai}[.?!]/u, instead: 'no full stop and no question mark' }],
}

const EVERYWHERE: readonly Rule[] = [
  { wrong: /^\s|\s$/, instead: 'no space at the ends' },
  { wrong: /\p{L} {2,}\p{L}/u, instead: 'one space' },
]
const LATIN: Rule = { wrong: /["']/, instead: '’' }
const IN_LATIN_SCRIPT = new Set(['id', 'it', 'ms', 'nl', 'pt', 'vi'])

/** Three words of English in a row, in a language that does not write them so. */
const ENGLISH = /(?<![\w`/.-])(?:[a-z]{2,} ){2}[a-z]{2,}(?![\w`/-])/

/** Big5 and GB 2312 have the characters of one script each; both lack the other's. */
function charactersOf(
  encoding: string,
  first: readonly [number, number],
  second: readonly number[],
): Set<string> {
  const decoder = new TextDecoder(encoding)
  const characters = new Set<string>()
  for (let lead = first[0]; lead <= first[1]; lead += 1) {
    for (const trail of second) characters.add(decoder.decode(Uint8Array.of(lead, trail)))
  }
  return characters
}

const bytes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const SCRIPTS: Readonly<Record<string, Set<string>>> = {
  'zh-Hant': charactersOf('big5', [0xa4, 0xf9], [...bytes(0x40, 0x7e), ...bytes(0xa1, 0xfe)]),
  'zh-Hans': charactersOf('gbk', [0xb0, 0xf7], bytes(0xa1, 0xfe)),
}
/** Rows of the extension for Hong Kong hold simplified characters, too. */
for (const extended of charactersOf('big5', [0xc6, 0xc8], [...bytes(0x40, 0x7e), ...bytes(0xa1, 0xfe)])) {
  if (/[\u2e80-\u2fff]/.test(extended)) SCRIPTS['zh-Hant']?.delete(extended)
}

function otherCharacters(language: string, text: string): string[] {
  const known = SCRIPTS[language]
  return known === undefined ? [] : [...text].filter((one) => /\p{Script=Han}/u.test(one) && !known.has(one))
}

/** A sentence that is cut off has no end. Thai writes none, and some languages say a sentence as a label with a colon. */
function isCutOff(language: string, english: string, text: string): boolean {
  const isSentence = /^\p{Lu}.*\s.*\s.*(?<!\bNo)\.$/su.test(english.trimEnd())
  return (
    isSentence &&
    language !== 'th' &&
    !/[.。!?؟…：:]/.test(text.trimEnd().at(-1) ?? '') &&
    !/[:：]/.test(text)
  )
}

function placesIn(text: string): string {
  return [...text.matchAll(/\{+\w+\}+/g)]
    .map(([place]) => place)
    .toSorted()
    .join(' ')
}

export function againstTypography(language: string, { place, english, text }: Text): string[] {
  const rules = [...EVERYWHERE, ...(RULES[language] ?? []), ...(IN_LATIN_SCRIPT.has(language) ? [LATIN] : [])]
  // What is code, an address or a sign of a format is no prose.
  const prose = text.trimEnd().replaceAll(/`[^`]*`|[\w.-]+@[\w.]+\w|npm run [\w -]*\w/g, 'x')
  const lines = prose.split(/\n+/)
  const problems = rules.flatMap(({ wrong, instead }) => {
    const found = lines.map((line) => wrong.exec(line)?.[0]).find((one) => one !== undefined)
    return found === undefined ? [] : [`${place}: “${found}” in “${text}” (write ${instead})`]
  })
  for (const one of otherCharacters(language, text))
    problems.push(`${place}: “${one}” in “${text}” is of the other script`)
  if (language !== 'en' && WITHOUT_SPACES.test(text)) {
    const words = ENGLISH.exec(prose)?.[0]
    if (words !== undefined) problems.push(`${place}: “${words}” is English`)
  }
  if (isCutOff(language, english, text))
    problems.push(`${place}: “${text}” is no whole sentence, as “${english}” is`)
  if (placesIn(text) !== placesIn(english)) problems.push(`${place}: not the places of “${english}”`)
  return problems
}

export function readGlossaries(): Map<string, Glossary> {
  return new Map(
    globSync('scripts/glossaries/*.json').map((path) => [
      basename(path, '.json'),
      JSON.parse(readFileSync(path, 'utf8')) as Glossary,
    ]),
  )
}

/** All languages that there are texts in. */
export function languagesOfTexts(): string[] {
  const files = globSync('src/modules/*/*/languages/*.json').map((path) => basename(path, '.json'))
  const inConsole = globSync('web/console/src/locales/*').map((path) => basename(path))
  return [...new Set([...files, ...inConsole])].filter((language) => language !== 'en').toSorted()
}

export function languageProblems(): string[] {
  const glossaries = readGlossaries()
  return languagesOfTexts().flatMap((language) => {
    const glossary = glossaries.get(language)
    if (glossary === undefined) return [`scripts/glossaries/${language}.json is missing`]
    const sources = glossary.terms
      .filter(({ from }) => !Object.hasOwn(glossary.sources, from))
      .map(
        ({ en, from }) => `scripts/glossaries/${language}.json: ${en} is from “${from}”, which is no source`,
      )
    return [
      ...sources,
      ...textsOf(language).flatMap((text) => [
        ...againstGlossary(glossary, text),
        ...againstTypography(language, text),
      ]),
    ]
  })
}
