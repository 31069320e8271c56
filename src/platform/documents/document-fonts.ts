import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'
import { LRUCache } from 'lru-cache'
import { memoize } from '#kernel/memoize'
import { unpackWoff } from './unpack-woff.ts'

/**
 * Font families in the order in which they are searched for a character. Each package splits its font into files by ranges
 * of characters, Noto Sans HK into about a hundred. A document embeds the few files that its texts need. SC adds simplified
 * characters that Hong Kong does not use, Noto Sans the Latin letters that Chinese fonts lack (Ł, ş, ř), Greek, Cyrillic and
 * Devanagari.
 */
const FAMILIES = [
  'noto-sans-hk',
  'noto-sans-sc',
  'noto-sans',
  'noto-sans-thai',
  'noto-sans-hebrew',
  'noto-sans-arabic',
  'nanum-gothic',
  'noto-emoji',
]
/** Readers of Simplified Chinese expect the mainland's shapes, also of commas and of characters that both fonts have. */
const FAMILIES_HANS = FAMILIES.toSorted((one, other) => Number(isMainland(other)) - Number(isMainland(one)))

/** A family in one weight, with the file of each character that was looked up: empty if the face does not have it. */
interface Face {
  readonly name: string
  readonly files: Map<number, string>
}

const faceOf = memoize((name: string): Face => ({ name, files: new Map() }))
const facesOf = {
  400: FAMILIES.map((family) => faceOf(`${family}/400`)),
  700: FAMILIES.map((family) => faceOf(`${family}/700`)),
}
const facesOfHans = {
  400: FAMILIES_HANS.map((family) => faceOf(`${family}/400`)),
  700: FAMILIES_HANS.map((family) => faceOf(`${family}/700`)),
}

export type Weight = 400 | 700

export interface Run {
  readonly text: string
  readonly font: string
}

function isMainland(family: string): boolean {
  return family === 'noto-sans-sc'
}

/**
 * Splits a text where the font file changes. A character that no font has becomes an empty box. Invisible characters, such
 * as soft hyphens and direction marks, are left out, because fonts would draw them.
 */
export function runsOf(text: string, weight: Weight, language: string): Run[] {
  const faces = (language === 'zh-Hans' ? facesOfHans : facesOf)[weight]
  const latin = ASCII.test(text) && faces[0] ? fileWith('a', faces[0]) : undefined
  if (latin !== undefined) return [{ text, font: latin }]
  const runs: { text: string; font: string }[] = []
  for (const unit of text.match(UNITS) ?? []) {
    const isAtCorner = language === 'ja' && JAPANESE_STOPS.test(unit)
    const face = faceFor(unit, isAtCorner ? facesOfHans[weight] : faces)
    for (const character of unit) {
      const last = runs.at(-1)
      const font = fontFor(character, weight, { face, last: last?.font })
      if (font === undefined) continue
      if (last !== undefined && last.font === font) last.text += character
      else runs.push({ text: character, font })
    }
  }
  return runs
}

/** The first files of all families have these characters, and most texts no others. */
const ASCII = /^[ -~]+$/
/** A word or an emoji of several characters, which would look broken in two families; otherwise one character. */
const UNITS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+|\p{RGI_Emoji}|./gsv
/** They stand at the lower left, as on the mainland, and in the middle in Hong Kong. */
const JAPANESE_STOPS = /[、。，．]/
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u
/** Joiners, variation selectors and flag tags change how a font draws the characters beside them. */
const CHANGES_NEIGHBORS = /\p{Join_Control}|\p{Variation_Selector}|[\u{e0020}-\u{e007f}]/u

function faceFor(unit: string, faces: readonly Face[]): Face | undefined {
  const needed = Array.from(unit).filter((character) => !INVISIBLE.test(character))
  return faces.find((face) => needed.every((character) => fileWith(character, face) !== undefined))
}

function fontFor(
  character: string,
  weight: Weight,
  { face, last }: { readonly face: Face | undefined; readonly last: string | undefined },
): string | undefined {
  if (INVISIBLE.test(character)) {
    const isInFont = last !== undefined && charactersIn(last).has(character.codePointAt(0) ?? 0)
    return isInFont && CHANGES_NEIGHBORS.test(character) ? last : undefined
  }
  const chosen = face ?? faceFor(character, facesOf[weight])
  const emptyBox = last ?? `noto-sans-hk/files/noto-sans-hk-latin-${weight}-normal.woff`
  return chosen === undefined ? emptyBox : fileWith(character, chosen)
}

const NO_FILE = ''
/** The largest face has 45,000 characters, and a text may hold any that no face has. */
const MAX_KNOWN_FILES = 65_536

function fileWith(character: string, { name, files }: Face): string | undefined {
  const code = character.codePointAt(0) ?? 0
  let file = files.get(code)
  if (file === undefined) {
    if (files.size === MAX_KNOWN_FILES) files.clear()
    file = findFile(code, name) ?? NO_FILE
    files.set(code, file)
  }
  return file === NO_FILE ? undefined : file
}

function findFile(code: number, face: string): string | undefined {
  const nearby = rangesOf(face).get(blockOf(code)) ?? []
  return nearby.find(({ from, to, file }) => code >= from && code <= to && charactersIn(file).has(code))?.file
}

interface Range {
  readonly from: number
  readonly to: number
  readonly file: string
}

/** Ranges by the blocks of 256 characters that they touch. A family has 20,000 ranges. */
type Ranges = ReadonlyMap<number, readonly Range[]>

function blockOf(code: number): number {
  return code >> 8
}

const rangesOf = memoize((face: string): Ranges => byBlock(readRanges(face).toReversed()))

function readRanges(face: string): Range[] {
  const css = readFileSync(new URL(import.meta.resolve(`@fontsource/${face}.css`)), 'utf8')
  const family = face.slice(0, face.indexOf('/'))
  const rules = css.matchAll(/url\(\.\/(files\/[\w-]+\.woff)\)[^;]*;\s*unicode-range:\s*([^\s;][^;]*);/g)
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
      const nearby = blocks.get(block)
      if (nearby === undefined) blocks.set(block, [range])
      else nearby.push(range)
    }
  }
  return blocks
}

/** Most documents need the same few files, of about 20 kB each. */
const contents = new LRUCache<string, Buffer>({
  max: 64,
  memoMethod: (path) => unpackWoff(readFileSync(new URL(import.meta.resolve(`@fontsource/${path}`)))),
})

export function fontFile(path: string): Buffer {
  return contents.memo(path)
}

/**
 * The characters of a font file. There are 676 files, so all of these sets are kept: a document of rare characters needs
 * more files than `contents` holds, and reading a set takes 2 ms.
 */
export const charactersIn = memoize((path: string): ReadonlySet<number> => {
  const font = fontkit.create(fontFile(path))
  if (!('characterSet' in font)) throw new Error(`${path} is a collection of fonts`)
  return new Set(font.characterSet)
})
