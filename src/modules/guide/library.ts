import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * - `file`: Below the repository, such as `docs/reference/orders.md`.
 * - `path`: Below `/guide/`, such as `reference/orders`; empty for the first page.
 */
export interface GuidePage {
  readonly file: string
  readonly path: string
  readonly title: string
  readonly markdown: string
}

const GROUPS = ['guides', 'reference', 'operating'] as const
export type Group = (typeof GROUPS)[number]

/** Also pages, but neither in the menu nor searched: they explain how the service is made. */
const OF_DEVELOPERS = /^docs\/(?:decisions\/|schema\/|reference\/tests\.md)/

/** In the menu's order; other pages follow by their file names. */
const FIRST_GUIDES = [
  'docs/first-day.md',
  'docs/console.md',
  'docs/go-live.md',
  'sdk/README.md',
  'cli/README.md',
]
/** What the menu calls pages whose headings are for readers of the package. */
const MENU_TITLES: Readonly<Record<string, string>> = {
  'sdk/README.md': 'SDK for TypeScript',
  'cli/README.md': 'Command line',
  'docs/reference/README.md': 'All subjects',
  'docs/operating/README.md': 'Running it',
}

export interface Library {
  readonly byPath: ReadonlyMap<string, GuidePage>
  readonly byFile: ReadonlyMap<string, GuidePage>
  readonly menu: ReadonlyMap<Group, readonly GuidePage[]>
}

export function readLibrary(): Library {
  const files = globSync(['docs/**/*.md', 'sdk/README.md', 'cli/README.md'], { cwd: ROOT }).toSorted()
  const pages = files.map(readPage).toSorted((one, other) => rankOf(one) - rankOf(other))
  const listed = pages.filter(({ file }) => !OF_DEVELOPERS.test(file))
  const menu = Map.groupBy(listed, ({ file }) => groupOf(file))
  return {
    byPath: new Map(pages.map((page) => [page.path, page])),
    byFile: new Map(pages.map((page) => [page.file, page])),
    menu: new Map(GROUPS.map((group) => [group, menu.get(group) ?? []])),
  }
}

export function readImage(name: string): Buffer | undefined {
  const isThere = globSync('docs/images/*', { cwd: ROOT }).includes(`docs/images/${name}`)
  return isThere ? readFileSync(posix.join(ROOT, 'docs/images', name)) : undefined
}

function readPage(file: string): GuidePage {
  const markdown = readFileSync(posix.join(ROOT, file), 'utf8')
  const [, heading = file] = /^# (.+)$/m.exec(markdown) ?? []
  const title = MENU_TITLES[file] ?? heading.replaceAll('`', '')
  return { file, path: pathOf(file), title, markdown }
}

function rankOf({ file }: GuidePage): number {
  const rank = FIRST_GUIDES.indexOf(file)
  if (rank !== -1) return rank
  return file.endsWith('/README.md') ? FIRST_GUIDES.length : FIRST_GUIDES.length + 1
}

function pathOf(file: string): string {
  return file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replace(/\/README$/, '')
}

function groupOf(file: string): Group {
  if (file.startsWith('docs/reference/')) return 'reference'
  return file.startsWith('docs/operating/') ? 'operating' : 'guides'
}
