import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { platformErrors } from '../../../src/platform/errors.ts'
import { listErrors } from '../../../src/platform/http/openapi/error-catalogue.ts'
import { composeUnconnected } from '../../../scripts/compose-unconnected.ts'
import { COUNTRIES as API_COUNTRIES } from '../../../src/kernel/countries.ts'
import { REASON_CODES } from '../../../src/modules/timelines/next/next-entry.ts'
import { hasPostalCodes } from '../../../src/kernel/postal-codes.ts'
import { COUNTRIES, WITHOUT_POSTAL_CODES } from '../src/components/countries.ts'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))
const TRANSLATIONS = ['zh-Hant', 'zh-Hans'] as const
const AREAS = globSync(`${SOURCES}/locales/en/*.json`).map((file) => basename(file, '.json'))

type Texts = { readonly [name: string]: string | Texts }

/** Texts by key. Chinese has one form where English has two. */
function textsOf(language: string, area: string): Map<string, string> {
  const texts = JSON.parse(readFileSync(`${SOURCES}/locales/${language}/${area}.json`, 'utf8')) as Texts
  return new Map(
    entriesOf(texts)
      .filter(([key]) => !key.endsWith('_one'))
      .map(([key, text]) => [key.replace(/_other$/, ''), text]),
  )
}

function entriesOf(texts: Texts, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, text]): [string, string][] =>
    typeof text === 'string' ? [[prefix + name, text]] : entriesOf(text, `${prefix}${name}.`),
  )
}

/** With plural forms and without. */
function keysOf(area: string): string[] {
  const texts = JSON.parse(readFileSync(`${SOURCES}/locales/en/${area}.json`, 'utf8')) as Texts
  return entriesOf(texts).flatMap(([key]) => [key, key.replace(/_(one|other)$/, '')])
}

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).toSorted()
}

test.each(TRANSLATIONS.flatMap((language) => AREAS.map((area) => [language, area] as const)))(
  '%s has every text of %s, with the same placeholders',
  (language, area) => {
    const english = textsOf('en', area)
    const translated = textsOf(language, area)
    expect([...translated.keys()].toSorted()).toEqual([...english.keys()].toSorted())
    for (const [key, text] of english) {
      expect([key, placeholdersOf(translated.get(key) ?? '')]).toEqual([key, placeholdersOf(text)])
    }
  },
)

test.each(TRANSLATIONS)('%s is translated', (language) => {
  const same = AREAS.flatMap((area) => {
    const english = textsOf('en', area)
    return [...textsOf(language, area)].filter(
      ([key, text]) => /[a-z]{3} [a-z]{2}/.test(text) && text === english.get(key),
    )
  })
  expect(same).toEqual([])
})

test('every text that a source names exists', () => {
  const missing = globSync(`${SOURCES}/**/*.tsx`).flatMap((file) => {
    const source = readFileSync(file, 'utf8')
    const areas = [...source.matchAll(/useTranslation\((?:'([\w-]+)'|\[([^\]]+)\])?\)/g)].map(
      ([, one, many]) =>
        many === undefined ? [one ?? 'app'] : many.split(',').map((area) => area.trim().replaceAll("'", '')),
    )
    // Components that take the area from a list definition are left out, as are keys with variable parts.
    if (areas.length === 0 || areas.some(([first]) => first?.includes('.'))) return []
    const known = new Set(
      areas.flatMap(([first = 'app', ...more]) => [
        ...keysOf(first),
        ...['components', 'search', 'sign-in', ...more].flatMap((area) =>
          AREAS.includes(area) ? keysOf(area).map((key) => `${area}:${key}`) : [],
        ),
      ]),
    )
    return [...source.matchAll(/[^\w.]t\(\s*'([\w:.-]+)'\s*[,)]/g)]
      .map(([, key = '']) => key)
      .filter((key) => !known.has(key) && !source.includes(`'${key}', { ns:`))
      .map((key) => `${basename(file)}: ${key}`)
  })
  expect(missing).toEqual([])
})

test('every kind of a past timeline entry has a text', () => {
  const texts = fileURLToPath(new URL('../../../src/modules/timelines/past/event-texts.ts', import.meta.url))
  const kinds = [...readFileSync(texts, 'utf8').matchAll(/^ {2}'([\w.]+)':/gm)].map(([, kind = '']) => kind)
  expect(kinds.length).toBeGreaterThan(20)
  const wanted = [...kinds, 'transaction.sent', 'acquirer.notice', 'outcome.decided']
  const known = keysOf('timeline')
  expect(wanted.filter((kind) => !known.includes(`past.${kind}`))).toEqual([])
})

test.each(['en', ...TRANSLATIONS])(
  '%s says what happens next, and why, for every reason code',
  (language) => {
    const texts = textsOf(language, 'timeline')
    const wanted = REASON_CODES.flatMap((code) => [`next.${code}.text`, `next.${code}.reason`])
    const known = [...texts.keys()].filter((key) => key.startsWith('next.'))
    expect(known.toSorted()).toEqual(wanted.toSorted())
  },
)

test('every reason of an error has its texts, and the English ones are those of the API', async () => {
  const { catalogues } = await composeUnconnected()
  const said = listErrors([platformErrors.catalogue, ...catalogues]).flatMap(
    ({ reason, message, recommendedAction: action }) => [
      [`${reason}.message`, message] as const,
      ...(action === undefined ? [] : [[`${reason}.action`, action] as const]),
    ],
  )
  // The expected texts of `locales/en/errors.json`. The tests above compare the other languages with it.
  expect(Object.fromEntries(textsOf('en', 'errors'))).toEqual(Object.fromEntries(said))
})

test('the countries that can be chosen are those of the API', () => {
  expect(COUNTRIES).toEqual(API_COUNTRIES)
  const without = API_COUNTRIES.filter((country) => !hasPostalCodes(country))
  expect([...WITHOUT_POSTAL_CODES]).toEqual(without)
})
