/**
 * Writes `docs/reference/tests.md`: which tests prove each section of the reference. With `--check` it changes nothing and
 * fails when that file is stale, a section has no test, a citation or link leads nowhere, a Markdown file names code that does
 * not exist, or a text cites what is not part of the repository.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import {
  anchorsOf,
  citationsOf,
  foreignCitationsOf,
  localLinksOf,
  missingPathsIn,
  namesOfRecord,
  provedBy,
  recordsCitedIn,
  type ReferenceFile,
  renderIndex,
  sectionsOf,
} from './reference-index-text.ts'

const REFERENCE = 'docs/reference'
const INDEX = `${REFERENCE}/tests.md`
const RECORDS = 'docs/decisions'

/** Sections that no test can prove, each with the reason. */
const WITHOUT_TESTS: Readonly<Record<string, string>> = {
  'acquirers#airwallex-never-run': 'it lists what only an account at Airwallex can show',
}

const SOURCES = ['src', 'scenarios', 'simulation', 'bench', 'scripts', 'sdk/test', 'docs'].map(
  (folder) => `${folder}/**/*.{ts,js,md,css}`,
)
/** These hold examples of what is looked for. */
const NOT_READ = new Set([
  'scripts/reference-index.ts',
  'scripts/reference-index-text.ts',
  'scripts/reference-index.test.ts',
])

/** Where Markdown files may name code. */
const CODE = [
  'src',
  'scenarios',
  'simulation',
  'bench',
  'scripts',
  'test-packages',
  'sdk',
  'cli',
  'web',
  'twins',
  'deploy',
  'migrations',
  'docs',
]

const read = (path: string) => readFileSync(path, 'utf8')

function referenceFiles(): ReferenceFile[] {
  return globSync(`${REFERENCE}/*.md`)
    .filter((path) => !['README.md', 'tests.md'].includes(basename(path)))
    .toSorted()
    .map((path) => {
      const markdown = read(path)
      const name = basename(path, '.md')
      const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name
      return { name, title, sections: sectionsOf(name, markdown) }
    })
}

function testsBySection(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  const tests = new Map<string, string[]>()
  for (const [path, text] of texts) {
    if (!path.endsWith('.test.ts')) continue
    for (const id of provedBy(text)) tests.set(id, [...(tests.get(id) ?? []), path])
  }
  return tests
}

function* citationProblems(
  texts: ReadonlyMap<string, string>,
  sections: ReadonlySet<string>,
): Generator<string> {
  const records = new Set(globSync(`${RECORDS}/*.md`).flatMap((path) => namesOfRecord(basename(path))))
  for (const [path, text] of texts) {
    for (const record of recordsCitedIn(text)) {
      if (!records.has(record)) yield `${path}: there is no record ${RECORDS}/${record}`
    }
    for (const id of citationsOf(text)) {
      if (!sections.has(id)) yield `${path}: there is no section reference/${id}`
    }
    for (const foreign of foreignCitationsOf(text)) yield `${path}: cites "${foreign}"; cite reference/…#…`
    if (path.endsWith('.md')) yield* linkProblems(path, text)
  }
}

/** The documents of `docs/schema` are generated. */
function* pathProblems(texts: ReadonlyMap<string, string>): Generator<string> {
  const files = globSync(
    [...CODE.map((folder) => `${folder}/**/*.{ts,tsx,js,sql,css,json,yaml,yml}`), '*.{ts,js}'],
    {
      exclude: ['**/node_modules/**'],
    },
  )
  const folders = new Set([...CODE.map((folder) => `${folder}/`), ...files.flatMap(foldersOf)])
  const paths = [...files, ...folders]
  for (const [path, text] of texts) {
    if (!path.endsWith('.md') || path.startsWith('docs/schema/')) continue
    for (const named of missingPathsIn(text, paths, { namesFiles: path.startsWith('src/modules/') })) {
      yield `${path}: there is no ${named}`
    }
  }
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)
}

function* linkProblems(path: string, markdown: string): Generator<string> {
  for (const link of localLinksOf(markdown)) {
    const [file = '', anchor] = link.split('#', 2)
    const target = file === '' ? path : normalize(join(dirname(path), file))
    if (!existsSync(target)) yield `${path}: the link ${link} leads nowhere`
    else if (anchor !== undefined && !anchorsOf(read(target)).has(anchor)) {
      yield `${path}: the link ${link} names no heading`
    }
  }
}

const files = referenceFiles()
const sections = files.flatMap((file) => file.sections.map(({ id }) => id))
const paths = globSync([...SOURCES, '{sdk,cli,twins}/**/README.md', 'migrations/*.sql', '*.md'], {
  exclude: ['**/node_modules/**'],
}).filter((path) => !NOT_READ.has(path))
const texts = new Map(paths.toSorted().map((path) => [path, read(path)]))
const tests = testsBySection(texts)
const index = renderIndex(files, tests)

if (process.argv.includes('--check')) {
  const problems = [...citationProblems(texts, new Set(sections)), ...pathProblems(texts)]
  if (!existsSync(INDEX) || read(INDEX) !== index) problems.push(`${INDEX} is stale: npm run reference`)
  for (const id of sections) {
    if (!tests.has(id) && !(id in WITHOUT_TESTS)) problems.push(`reference/${id}: no test proves it`)
  }
  for (const id of Object.keys(WITHOUT_TESTS)) {
    if (!sections.includes(id)) problems.push(`reference/${id} is excused from tests and does not exist`)
  }
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
  console.log(`the reference holds: ${sections.length} sections, each with a test or a reason`)
} else {
  writeFileSync(INDEX, index)
}
