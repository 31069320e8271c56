import { charactersIn, runsOf } from '../document-fonts.ts'

export function canShow(text: string): boolean {
  return runsOf(text, 400, 'zh-Hans').every((run) => {
    const characters = charactersIn(run.font)
    return [...run.text].every((character) => characters.has(character.codePointAt(0) ?? 0))
  })
}
