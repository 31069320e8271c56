import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))

/** The opening tags of elements, with what stands in their braces left out. */
function tagsOf(source: string, name: string): string[] {
  return [...source.matchAll(new RegExp(`<${name}\\b`, 'g'))].map(({ index }) => {
    let depth = 0
    let tag = ''
    for (const character of source.slice(index)) {
      if (character === '{') depth++
      if (depth === 0) tag += character
      if (character === '}') depth--
      if (depth === 0 && character === '>') break
    }
    return tag
  })
}

test('the tag of an element ends after its attributes, whatever stands in their braces', () => {
  const source = `<Button onClick={() => set(a > b)} disabled={isBusy}>{'>'}</Button><Button size="xs" />`
  expect(tagsOf(source, 'Button')).toEqual(['<Button onClick= disabled=>', '<Button size="xs" />'])
})

test('no button is disabled without a reason, which a BlockableButton and an ActionButton say', () => {
  const files = globSync(`${SOURCES}/**/*.tsx`)
  const tags = files.flatMap((file) =>
    ['Button', 'ActionIcon', 'ActionButton', 'BlockableButton', 'UnstyledButton', 'CloseButton'].flatMap(
      (name) => tagsOf(readFileSync(file, 'utf8'), name).map((tag) => ({ file: basename(file), tag })),
    ),
  )
  expect(tags.length).toBeGreaterThan(100)
  expect(tags.filter(({ tag }) => /\bdisabled\b/.test(tag))).toEqual([])
})
