/** Reads from texts what the index of the reference needs. Pure: `reference-index.ts` has the files. */

/** A section of `docs/reference`, cited as `reference/orders#voiding`. */
export interface Section {
  /** `orders#voiding` */
  readonly id: string
  readonly title: string
}

const CITATION = /(?<![\w/.-])(?:docs\/)?reference\/([a-z][a-z-]*)(?:\.md)?#([a-z0-9][a-z0-9-]*)/g
const RECORD = /\bdocs\/decisions\/([0-9a-z][0-9a-z-]*)/g
const LINK = /\]\(([^)\s]+)\)/g

/** Citations of texts that are not part of the repository. */
const FOREIGN = [/\.\.\/shared\b/, /\bdecisions, sections?\b/i, /\binterface, endpoints?\b/i]

/** The anchor that GitHub gives a heading. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

/** Headings outside code blocks, of any level. */
function headingsOf(markdown: string): { level: number; title: string }[] {
  const withoutCode = markdown.replace(/^```[\s\S]*?^```/gm, '')
  return [...withoutCode.matchAll(/^(#{1,6}) +(.+?) *$/gm)].map(([, marks = '', title = '']) => ({
    level: marks.length,
    title,
  }))
}

export function anchorsOf(markdown: string): Set<string> {
  return new Set(headingsOf(markdown).map(({ title }) => slugOf(title)))
}

/** The sections of one file of the reference: its headings of the second level. */
export function sectionsOf(name: string, markdown: string): Section[] {
  return headingsOf(markdown)
    .filter(({ level }) => level === 2)
    .map(({ title }) => ({ id: `${name}#${slugOf(title)}`, title }))
}

/** Every section that a text cites, once. */
export function citationsOf(text: string): string[] {
  return [...new Set([...text.matchAll(CITATION)].map(([, file, slug]) => `${file}#${slug}`))]
}

/** The decision records that a text cites, as written: by topic (`event-bundles`) or with the number. */
export function recordsCitedIn(text: string): string[] {
  return [...new Set([...text.matchAll(RECORD)].flatMap(([, record]) => record ?? []))]
}

/** The names that a decision record can be cited by. */
export function namesOfRecord(file: string): string[] {
  const name = file.replace(/\.md$/, '')
  return [name, name.replace(/^\d{4}-/, '')]
}

/** The sections that a test file names in `// Proves …` comments, which may run over several lines. */
export function provedBy(source: string): string[] {
  const proved = new Set<string>()
  let isOpen = false
  for (const line of source.split('\n')) {
    const comment = /^\s*\/\/ ?(.*)$/.exec(line)?.[1]
    isOpen = comment !== undefined && (isOpen || comment.startsWith('Proves '))
    if (!isOpen || comment === undefined) continue
    for (const id of citationsOf(comment)) proved.add(id)
    if (comment.trimEnd().endsWith('.')) isOpen = false
  }
  return [...proved]
}

/** What a text cites that is not part of the repository. */
export function foreignCitationsOf(text: string): string[] {
  return FOREIGN.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
}

/** The targets of a Markdown file's links within the repository: `orders.md#voiding`. */
export function localLinksOf(markdown: string): string[] {
  const withoutCode = markdown.replace(/^```[\s\S]*?^```/gm, '')
  return [...withoutCode.matchAll(LINK)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
}

const CODE_PATH = /`([\w.@-]+(?:\/[\w.@-]+)*(?:\/|\.(?:tsx?|js|sql)))`/g

/**
 * Files and folders of code that a Markdown text names in backticks and that do not exist. A text may leave out the beginning of a
 * path: `charges/pay-order.ts`. A name without a folder counts only where it ends with a slash or `namesFiles` is set.
 *
 * @param paths of all files, and of their folders, which end with a slash
 */
export function missingPathsIn(
  markdown: string,
  paths: readonly string[],
  { namesFiles }: { readonly namesFiles: boolean },
): string[] {
  const withoutCode = markdown.replace(/^```[\s\S]*?^```/gm, '')
  const named = new Set([...withoutCode.matchAll(CODE_PATH)].map(([, path = '']) => path))
  return [...named].filter(
    (path) =>
      (namesFiles || path.includes('/')) &&
      !path.includes('NNNN') &&
      !paths.some((known) => known === path || known.endsWith(`/${path}`)),
  )
}

export interface ReferenceFile {
  /** `orders` */
  readonly name: string
  readonly title: string
  readonly sections: readonly Section[]
}

/** `docs/reference/tests.md`. @param testsOf files by section, in order */
export function renderIndex(
  files: readonly ReferenceFile[],
  testsOf: ReadonlyMap<string, readonly string[]>,
): string {
  const lines = [
    '# Tests by section',
    '',
    'The tests that prove each section of the reference. `npm run reference` writes this file from the `// Proves` comments of',
    'the tests; do not edit it.',
  ]
  for (const { name, title, sections } of files) {
    lines.push('', `## ${title}`, '', '| Section | Tests |', '|---|---|')
    for (const section of sections) {
      const tests = testsOf.get(section.id) ?? []
      const shown = tests.length === 0 ? 'none' : tests.map((path) => `\`${path}\``).join('<br>')
      lines.push(`| [${section.title}](${name}.md#${slugOf(section.title)}) | ${shown} |`)
    }
  }
  return `${lines.join('\n')}\n`
}
