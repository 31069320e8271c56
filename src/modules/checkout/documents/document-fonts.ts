import { readFileSync } from 'node:fs'
import type { Language } from '../words/language.ts'
import { charactersOf, unpackWoff } from './true-type.ts'

/**
 * The fonts of documents, in the order in which they are asked for a character. Each package has its font in files for some
 * ranges of characters, as the web likes it, Noto Sans HK in about a hundred; a document takes the few that its texts need.
 */
const FAMILIES = [
  'noto-sans-hk',
  // Simplified characters that Hong Kong does not use.
  'noto-sans-sc',
  // Latin letters that Chinese fonts lack (Ł, ş, ř), Greek, Cyrillic and Devanagari.
  'noto-sans',
  'noto-sans-thai',
  'noto-sans-hebrew',
  'noto-sans-arabic',
  'nanum-gothic',
  'noto-emoji',
]
/** A reader of Simplified Chinese expects the shapes of the mainland, also of the commas and of characters that both have. */
const FAMILIES_HANS = FAMILIES.toSorted((one, other) => Number(isMainland(other)) - Number(isMainland(one)))

export type Weight = 400 | 700

/** A piece of text that one font file can show. */
export interface Run {
  readonly text: string
  /** Path of the file in the packages. */
  readonly font: string
}

function isMainland(family: string): boolean {
  return family === 'noto-sans-sc'
}

/**
 * Cuts a text where the font file changes. What no font has is shown as an empty box; what is never seen, such as a soft
 * hyphen or a mark of direction, is left out, since fonts draw it.
 */
export function runsOf(text: string, weight: Weight, language: Language): Run[] {
  const families = language === 'zh-Hans' ? FAMILIES_HANS : FAMILIES
  const runs: { text: string; font: string }[] = []
  for (const unit of text.match(UNITS) ?? []) {
    const family = familyOf(unit, weight, families)
    for (const character of unit) {
      const last = runs.at(-1)
      const font = fontFor(character, weight, { family, last: last?.font })
      if (font === undefined) continue
      if (last !== undefined && last.font === font) last.text += character
      else runs.push({ text: character, font })
    }
  }
  return runs
}

/** A word or an emoji of several characters, which look torn in two families; else a character. */
const UNITS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+|\p{RGI_Emoji}|./gsv
const NEVER_SEEN = /\p{Default_Ignorable_Code_Point}/u
/** Joiners, variation selectors and the tags of flags: a font draws what stands beside them otherwise. */
const SHAPES_OTHERS = /\p{Join_Control}|\p{Variation_Selector}|[\u{e0020}-\u{e007f}]/u

/** The first family that has all of these characters. */
function familyOf(unit: string, weight: Weight, families: readonly string[]): string | undefined {
  return families.find((family) =>
    [...unit].every(
      (character) => NEVER_SEEN.test(character) || fontOf(character, weight, family) !== undefined,
    ),
  )
}

function fontFor(
  character: string,
  weight: Weight,
  { family, last }: { readonly family: string | undefined; readonly last: string | undefined },
): string | undefined {
  if (NEVER_SEEN.test(character)) {
    const isKnown = last !== undefined && charactersIn(last).has(character.codePointAt(0) ?? 0)
    return isKnown && SHAPES_OTHERS.test(character) ? last : undefined
  }
  const chosen = family ?? familyOf(character, weight, FAMILIES)
  const boxes = last ?? `noto-sans-hk/files/noto-sans-hk-latin-${weight}-normal.woff`
  return chosen === undefined ? boxes : fontOf(character, weight, chosen)
}

/** Of every character that was ever looked for, by family and weight: bounded by what fonts have. */
const fontOfCharacter = new Map<string, string | undefined>()
const MAX_CHARACTERS = 50_000

/** The family's font file that has this character; undefined when none has. */
function fontOf(character: string, weight: Weight, family: string): string | undefined {
  const key = `${family}${weight}${character}`
  if (fontOfCharacter.has(key)) return fontOfCharacter.get(key)
  const code = character.codePointAt(0) ?? 0
  const near = rangesOf(family, weight).get(blockOf(code)) ?? []
  // A range is what a file may have; the file itself tells.
  const named = near.find(({ from, to, file }) => code >= from && code <= to && charactersIn(file).has(code))
  if (fontOfCharacter.size >= MAX_CHARACTERS) fontOfCharacter.clear()
  fontOfCharacter.set(key, named?.file)
  return named?.file
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
  const read = byBlock(readRanges(family, weight).toReversed())
  ranges.set(key, read)
  return read
}

function readRanges(family: string, weight: Weight): Range[] {
  const css = readFileSync(new URL(import.meta.resolve(`@fontsource/${family}/${weight}.css`)), 'utf8')
  const rules = css.matchAll(/url\(\.\/(files\/[\w-]+\.woff)\)[^;]*;\s*unicode-range:\s*([^;]+);/g)
  return [...rules].flatMap(([, path = '', text = '']) =>
    text.split(',').map((range): Range => {
      const [from = '', to = from] = range.trim().slice(2).split('-')
      return { file: `${family}/${path}`, from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }
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
const MAX_ENTRIES = 64
const kept = new Map<string, Buffer>()

/** A font file by its path, such as `noto-sans-hk/files/noto-sans-hk-119-400-normal.woff`, as pdfkit can embed it. */
export function fontFile(path: string): Buffer {
  const known = kept.get(path)
  if (known !== undefined) return known
  const content = unpackWoff(readFileSync(new URL(import.meta.resolve(`@fontsource/${path}`))))
  if (kept.size >= MAX_ENTRIES) kept.clear()
  kept.set(path, content)
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
