import type { Constraint, Table } from './read-schema.ts'

type Owners = Readonly<Record<string, readonly string[]>>

/** The pages of `docs/schema` by file name: an index, and a page for each owner of tables. */
export function renderSchema(tables: readonly Table[], owners: Owners): Map<string, string> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const ownerOf = new Map(
    Object.entries(owners).flatMap(([owner, names]) => names.map((name) => [name, owner])),
  )
  const pages = new Map([['README.md', indexPage(owners)]])
  for (const [owner, names] of Object.entries(owners)) {
    const own = names.flatMap((name) => byName.get(name) ?? [])
    pages.set(`${owner}.md`, ownerPage(owner, own, ownerOf))
  }
  return pages
}

/** Sentences about tables without an owner, and about owners of tables that do not exist. */
export function ownerProblems(tables: readonly Table[], owners: Owners): string[] {
  const owned = Object.values(owners).flat()
  const names = tables.map(({ name }) => name)
  return [
    ...names.filter((name) => !owned.includes(name)).map((name) => `the table ${name} has no owner`),
    ...owned.filter((name) => !names.includes(name)).map((name) => `there is no table ${name}`),
    ...owned.filter((name, index) => owned.indexOf(name) < index).map((name) => `${name} has two owners`),
  ].map((problem) => `src/table-owners.ts: ${problem}`)
}

/** Sentences about tables that do not say what they are for. */
export function commentProblems(tables: readonly Table[]): string[] {
  return tables
    .filter(({ comment }) => comment === null)
    .map(({ name }) => `migrations: say in a comment above "create table ${name}" what the table is for`)
}

const NOTE = '<!-- Written by `npm run schema` from a migrated database. -->'

function indexPage(owners: Owners): string {
  const rows = Object.entries(owners).map(
    ([owner, names]) =>
      `| [${owner}](${owner}.md) | ${names.map((name) => tableLink(name, owner)).join(', ')} |`,
  )
  return `${NOTE}

# Tables

What the database looks like after all migrations. Each table belongs to one module, which alone changes it
(\`src/table-owners.ts\`).

| Module | Tables |
|---|---|
${rows.join('\n')}
`
}

function ownerPage(owner: string, tables: readonly Table[], ownerOf: ReadonlyMap<string, string>): string {
  return `${NOTE}

# Tables of ${owner}

${diagram(tables)}
${tables.map((table) => tableSection(table, ownerOf)).join('\n')}`
}

/** Shows keys and references; all columns stand in the tables below. */
function diagram(tables: readonly Table[]): string {
  const lines = tables.flatMap(({ name, columns, constraints }) => {
    const keyed = (kind: Constraint['kind']) =>
      new Set(constraints.filter((one) => one.kind === kind).flatMap((one) => one.columns))
    const [primary, foreign] = [keyed('p'), keyed('f')]
    const members = columns.flatMap((column) => {
      const marks = [primary.has(column.name) && 'PK', foreign.has(column.name) && 'FK'].filter(Boolean)
      const type = column.type.replaceAll(/\W+/g, '_')
      return marks.length === 0 ? [] : [`    ${type} ${column.name} ${marks.join(', ')}`]
    })
    const references = constraints.flatMap(({ refersTo, columns: [...from] }) =>
      refersTo === null ? [] : [`  ${refersTo} ||--o{ ${name} : "${from.at(-1)}"`],
    )
    return [`  ${name} {`, ...members, '  }', ...references]
  })
  return tables.length === 0 ? '' : ['```mermaid', 'erDiagram', ...lines, '```', ''].join('\n')
}

function tableSection(table: Table, ownerOf: ReadonlyMap<string, string>): string {
  const { name, comment, partitioned, columns, constraints, indexes } = table
  const columnRows = columns.map(
    (column) =>
      `| \`${column.name}\` | ${column.type} | ${column.nullable ? 'null' : ''} | ${code(column.filled)} | ${cell(column.comment)} |`,
  )
  const keys = constraints.map(({ name: key, definition, refersTo }) => {
    const owner = ownerOf.get(refersTo ?? '')
    const link = refersTo === null || owner === undefined ? '' : ` → ${tableLink(refersTo, owner)}`
    return `- \`${key}\`: ${code(definition)}${link}`
  })
  const more = indexes.map(
    (index) =>
      `- \`${index.name}\`: ${code(index.definition.replace(/^CREATE (UNIQUE )?INDEX .*? USING /, '$1'))}`,
  )
  return [
    `## ${name}`,
    '',
    ...(comment === null ? [] : [comment, '']),
    ...(partitioned === null ? [] : [`Partitioned by ${code(partitioned)}.`, '']),
    '| Column | Type | Null | Default | Meaning |',
    '|---|---|---|---|---|',
    ...columnRows,
    '',
    ...(keys.length === 0 ? [] : ['Constraints:', '', ...keys, '']),
    ...(more.length === 0 ? [] : ['Indexes:', '', ...more, '']),
  ].join('\n')
}

function tableLink(name: string, owner: string): string {
  return `[${name}](${owner}.md#${name})`
}

function code(text: string | null): string {
  return text === null || text === '' ? '' : `\`${cell(text)}\``
}

function cell(text: string | null): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}
