import MiniSearch from 'minisearch'
import type { Library } from '../library.ts'
import { type Section, sectionsOf, shownText } from './sections.ts'

const MAX_RESULTS = 20
/** Together with the length of words this bounds a search: 50 single letters took 160 ms. */
const MAX_WORDS = 6
const MIN_WORD_LENGTH = 2
const MIN_SIMILAR_LENGTH = 4
/** Keeps a chunk under some milliseconds. */
const CHUNK_SECTIONS = 4

export interface Found {
  readonly id: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

export type SearchIndex = (query: string) => readonly Found[]

export async function readIndex({ menu }: Library): Promise<SearchIndex> {
  const index = new MiniSearch<Section>({
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'shown'],
    extractField: (section, field) =>
      field === 'shown' ? shownText(section.text) : section[field as keyof Section],
    searchOptions: {
      boost: { title: 3, heading: 4 },
      prefix: (word) => word.length >= MIN_SIMILAR_LENGTH,
      fuzzy: (word) => (word.length >= MIN_SIMILAR_LENGTH ? 0.2 : false),
      combineWith: 'AND',
    },
  })
  const sections = [...menu.values()].flat().flatMap(sectionsOf)
  await index.addAllAsync(sections, { chunkSize: CHUNK_SECTIONS })
  return (query) => index.search(wordsOf(query)).slice(0, MAX_RESULTS).map(toFound)
}

function wordsOf(query: string): string {
  const words = query.split(/\s+/).filter(({ length }) => length >= MIN_WORD_LENGTH)
  return words.slice(0, MAX_WORDS).join(' ')
}

function toFound(result: Readonly<Record<string, unknown>>): Found {
  const { id, title, heading, shown } = result
  return { id: String(id), title: String(title), heading: String(heading), text: String(shown) }
}
