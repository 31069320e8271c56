import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const LOCALES = 'web/console/src/locales'

/** The keys of a file. Forms of the plural, which differ between languages, count as one. */
function keysOf(file: string): string[] {
  const keys = (value: unknown, path: string): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => keys(inner, path === '' ? name : `${path}.${name}`))
      : [path.replace(/_(?:zero|one|two|few|many|other)$/, '')]
  return [...new Set(keys(JSON.parse(readFileSync(file, 'utf8')), ''))].sort()
}

const areas = globSync(`${LOCALES}/en/*.json`).map((file) => basename(file))

test.each(areas)('%s has the same keys in every language', (area) => {
  const english = keysOf(`${LOCALES}/en/${area}`)
  expect(english).not.toEqual([])
  for (const language of ['zh-Hant', 'zh-Hans']) {
    expect([language, ...keysOf(`${LOCALES}/${language}/${area}`)]).toEqual([language, ...english])
  }
})
