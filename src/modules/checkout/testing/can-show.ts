import { fontFile, runsOf } from '../documents/document-fonts.ts'
import { charactersOf } from '../documents/true-type.ts'

/** For tests: whether documents have a font for all of a text. */
export function canShow(text: string): boolean {
  return runsOf(text, 400, 'zh-Hans').every((run) => {
    const known = charactersOf(fontFile(run.font))
    return [...run.text].every((character) => known.has(character.codePointAt(0) ?? 0))
  })
}
