import { charactersIn, runsOf } from '../documents/document-fonts.ts'

/** For tests: whether documents have a font for every character of a text. */
export function canShow(text: string): boolean {
  return runsOf(text, 400, 'zh-Hans').every((run) => {
    const characters = charactersIn(run.font)
    return [...run.text].every((character) => characters.has(character.codePointAt(0) ?? 0))
  })
}
