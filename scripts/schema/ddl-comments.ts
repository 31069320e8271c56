/** What the migrations say of tables, and of columns as `table.column`. */
export interface DdlComments {
  readonly tables: ReadonlyMap<string, string>
  readonly columns: ReadonlyMap<string, string>
}

const COMMENT = /^\s*-- (?<text>.*)$/
const TABLE = /^(?<verb>create|alter) table (?:if not exists )?(?<table>\w+)/
const ADDED = /(?:^|\s)add column (?:if not exists )?(?<column>\w+) /
const COLUMN = /^ {2}(?!constraint |primary |foreign |unique |check |exclude )(?<column>[a-z]\w*) /

/** Reads the comment above each `create table`, and above each column in it or in an `add column`. */
export function readDdlComments(texts: readonly string[]): DdlComments {
  const tables = new Map<string, string>()
  const columns = new Map<string, string>()
  for (const text of texts) {
    let above: string[] = []
    let statement: { readonly verb: string; readonly table: string } | undefined
    for (const line of text.split('\n')) {
      const said = COMMENT.exec(line)?.groups?.['text']
      if (said !== undefined) {
        above.push(said)
        continue
      }
      const { verb, table } = TABLE.exec(line)?.groups ?? {}
      if (verb !== undefined && table !== undefined) {
        statement = { verb, table }
        if (verb === 'create') {
          keep(tables, table, above)
          above = []
        }
      }
      const column = columnOf(statement?.verb, line)
      if (statement !== undefined && column !== undefined)
        keep(columns, `${statement.table}.${column}`, above)
      if (column !== undefined || line.trim() === '' || line.endsWith(';')) above = []
      if (line.endsWith(';')) statement = undefined
    }
  }
  return { tables, columns }
}

function columnOf(verb: string | undefined, line: string): string | undefined {
  if (verb === 'create') return COLUMN.exec(line)?.groups?.['column']
  return verb === 'alter' ? ADDED.exec(line)?.groups?.['column'] : undefined
}

function keep(comments: Map<string, string>, name: string, lines: readonly string[]): void {
  if (lines.length > 0) comments.set(name, lines.join(' '))
}
