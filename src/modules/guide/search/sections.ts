import type { GuidePage } from '../library.ts'
import { slugOf } from '../slug.ts'

export interface Section {
  readonly id: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

const SHOWN_LENGTH = 200

/** Cuts a page at its headings of the first and second level. `id` is its path with the anchor. */
export function sectionsOf({
  path,
  title,
  markdown,
}: Pick<GuidePage, 'path' | 'title' | 'markdown'>): Section[] {
  const sections: { heading: string; lines: string[] }[] = []
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const isHeading = !isCode && (line.startsWith('# ') || line.startsWith('## '))
    if (isHeading) sections.push({ heading: plain(line.replace(/^#+ /, '')), lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections.map(({ heading, lines }, index) => ({
    id: index === 0 ? path : `${path}#${slugOf(heading)}`,
    title,
    heading: index === 0 ? '' : heading,
    text: plain(lines.join(' ')),
  }))
}

export function shownText(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, text.lastIndexOf(' ', SHOWN_LENGTH))} …`
}

/** Links without their addresses, and no marks of Markdown. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\]\([^)\s]*\)/g, '')
    .replaceAll(/[[\]`*|]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
