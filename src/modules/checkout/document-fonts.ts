import { readFileSync } from 'node:fs'
import type { Language } from './language.ts'
import { charactersOf, unpackWoff } from './true-type.ts'

/**
 * Noto Sans HK for documents. The package has it in about a hundred files, each for some ranges of characters, as the web
 * likes it; a document takes the few that its texts need. Noto Sans SC, where it is installed, has the Simplified
 * characters that Hong Kong does not use.
 */
export type Weight = 400 | 700

/** A piece of text that one font file can show. */
export interface Run {
  readonly text: string
  readonly font: string
}

/** In the order in which they are asked for a character. */
const FAMILIES = ['noto-sans-hk', 'noto-sans-sc'].filter(isInstalled)
/** A reader of Simplified Chinese expects the shapes of the mainland, also of the commas and of characters that both have. */
const FAMILIES_HANS = FAMILIES.toReversed()

function isInstalled(family: string): boolean {
  try {
    import.meta.resolve(`@fontsource/${family}/400.css`)
    return true
  } catch {
    return false
  }
}

/** Whether all of a text can be shown. */
export function canShow(text: string): boolean {
  return [...text].every((character) => fontOf(character, 400, 'zh-Hans') !== undefined)
}

/** Cuts a text where the font file changes. What no font has is shown as an empty box. */
export function runsOf(text: string, weight: Weight, language: Language): Run[] {
  const runs: { text: string; font: string }[] = []
  for (const character of text) {
    const last = runs.at(-1)
    const font = fontOf(character, weight, language) ?? last?.font ?? `noto-sans-hk-latin-${weight}-normal`
    if (last !== undefined && last.font === font) last.text += character
    else runs.push({ text: character, font })
  }
  return runs
}

/** Of every character that was ever shown, by families and weight: bounded by what fonts have. */
const fontOfCharacter = new Map<string, string | undefined>()
const MOST_CHARACTERS = 50_000

/** The font file that has this character; undefined when none has. */
function fontOf(character: string, weight: Weight, language: Language): string | undefined {
  const families = language === 'zh-Hans' ? FAMILIES_HANS : FAMILIES
  const key = `${families[0]}${weight}${character}`
  if (fontOfCharacter.has(key)) return fontOfCharacter.get(key)
  const found = findFont(character.codePointAt(0) ?? 0, families, weight)
  if (fontOfCharacter.size >= MOST_CHARACTERS) fontOfCharacter.clear()
  fontOfCharacter.set(key, found)
  return found
}

function findFont(code: number, families: readonly string[], weight: Weight): string | undefined {
  for (const family of families) {
    const near = rangesOf(family, weight).get(blockOf(code)) ?? []
    // A range is what a file may have; the file itself tells.
    const named = near.find(
      ({ from, to, file }) => code >= from && code <= to && charactersIn(file).has(code),
    )
    if (named !== undefined) return named.file
  }
  return undefined
}

interface Range {
  readonly from: number
  readonly to: number
  readonly file: string
}

/** Ranges by the blocks of 256 characters that they touch: a family has 20,000 of them. */
type Ranges = ReadonlyMap<number, readonly Range[]>

function blockOf(code: number): number {
  return code >> 8
}

const ranges = new Map<string, Ranges>()

/** `unicode-range` of each file, from the package's own style sheet. A later rule goes before an earlier one, as in CSS. */
function rangesOf(family: string, weight: Weight): Ranges {
  const key = `${family}/${weight}`
  const known = ranges.get(key)
  if (known !== undefined) return known
  const read = byBlock(readRanges(key).toReversed())
  ranges.set(key, read)
  return read
}

function readRanges(key: string): Range[] {
  const css = readFileSync(new URL(import.meta.resolve(`@fontsource/${key}.css`)), 'utf8')
  const rules = css.matchAll(/url\(\.\/files\/([\w-]+)\.woff\)[^;]*;\s*unicode-range:\s*([^;]+);/g)
  return [...rules].flatMap(([, file = '', text = '']) =>
    text.split(',').map((range): Range => {
      const [from = '', to = from] = range.trim().slice(2).split('-')
      return { file, from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }
    }),
  )
}

function byBlock(all: readonly Range[]): Ranges {
  const blocks = new Map<number, Range[]>()
  for (const range of all) {
    for (let block = blockOf(range.from); block <= blockOf(range.to); block++) {
      const near = blocks.get(block)
      if (near === undefined) blocks.set(block, [range])
      else near.push(range)
    }
  }
  return blocks
}

/** Most documents need the same few files, of about 20 kB each. */
const MOST_KEPT = 64
const kept = new Map<string, Buffer>()

/** A font file by its name, such as `noto-sans-hk-119-400-normal`, as pdfkit can embed it. */
export function fontFile(name: string): Buffer {
  const known = kept.get(name)
  if (known !== undefined) return known
  const family = FAMILIES.find((candidate) => name.startsWith(`${candidate}-`)) ?? ''
  const path = import.meta.resolve(`@fontsource/${family}/files/${name}.woff`)
  const content = unpackWoff(readFileSync(new URL(path)))
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(name, content)
  return content
}

/** Of every file that was ever looked into: rare characters stand in more files than are kept, each asked for again. */
const charactersOfFile = new Map<string, ReadonlySet<number>>()

function charactersIn(file: string): ReadonlySet<number> {
  const known = charactersOfFile.get(file)
  if (known !== undefined) return known
  const characters = charactersOf(fontFile(file))
  charactersOfFile.set(file, characters)
  return characters
}
