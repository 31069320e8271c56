import { parse } from 'libpg-query'

interface Node {
  readonly [name: string]: unknown
}

interface Table {
  readonly relname?: string
}

interface Constraint {
  readonly contype?: string
}

interface Command {
  readonly subtype?: string
  readonly name?: string
  readonly def?: {
    readonly ColumnDef?: {
      readonly colname?: string
      readonly constraints?: readonly { Constraint?: Constraint }[]
    }
    readonly Constraint?: Constraint & { readonly conname?: string; readonly skip_validation?: boolean }
  }
}

const FILLED = new Set(['CONSTR_DEFAULT', 'CONSTR_GENERATED', 'CONSTR_IDENTITY'])

/**
 * What a migration takes away from the version before, which still runs: tables, columns and other things that it drops or
 * renames, types that it changes, columns that become required, and constraints that old rows did not have. Tables that the same
 * migration creates are its own.
 */
export async function contractionsOf(text: string): Promise<string[]> {
  const { stmts = [] } = (await parse(text)) as { stmts?: { stmt?: Node }[] }
  const created = new Set<string>()
  const found: string[] = []
  for (const { stmt = {} } of stmts) {
    const [[kind, body] = ['', {}]] = Object.entries(stmt) as [string, Node][]
    if (kind === 'CreateStmt') created.add((body['relation'] as Table).relname ?? '')
    if (created.has((body['relation'] as Table | undefined)?.relname ?? ' ')) continue
    found.push(...contractionsOfStatement(kind, body))
  }
  return found
}

function contractionsOfStatement(kind: string, body: Node): string[] {
  const table = (body['relation'] as Table | undefined)?.relname ?? ''
  switch (kind) {
    case 'DropStmt':
      return body['removeType'] === 'OBJECT_INDEX' ? [] : [`drops ${namesOf(body['objects'])}`]
    case 'RenameStmt':
      return body['renameType'] === 'OBJECT_INDEX' ? [] : [`renames ${table}${suffix(body['subname'])}`]
    case 'TruncateStmt':
      return ['truncates a table']
    case 'AlterTableStmt':
      if (body['objtype'] === 'OBJECT_INDEX') return []
      return ((body['cmds'] as { AlterTableCmd?: Command }[] | undefined) ?? []).flatMap(
        ({ AlterTableCmd: command }) => (command === undefined ? [] : contractionOfCommand(table, command)),
      )
    default:
      return []
  }
}

function contractionOfCommand(table: string, { subtype = '', name = '', def }: Command): string[] {
  switch (subtype) {
    case 'AT_DropColumn':
      return [`drops ${table}.${name}`]
    case 'AT_AlterColumnType':
      return [`changes the type of ${table}.${name}`]
    case 'AT_SetNotNull':
      return [`requires ${table}.${name}`]
    case 'AT_AddColumn': {
      const constraints = (def?.ColumnDef?.constraints ?? []).map((one) => one.Constraint?.contype ?? '')
      const isRequired = constraints.some((type) => type === 'CONSTR_NOTNULL' || type === 'CONSTR_PRIMARY')
      const isFilled = constraints.some((type) => FILLED.has(type))
      return isRequired && !isFilled
        ? [`adds ${table}.${def?.ColumnDef?.colname ?? ''} without a default`]
        : []
    }
    case 'AT_AddConstraint':
      return [`adds the constraint ${def?.Constraint?.conname ?? ''} to ${table}`]
    default:
      return []
  }
}

function namesOf(objects: unknown): string {
  return [...JSON.stringify(objects ?? []).matchAll(/"sval":"([^"]*)"/g)].map(([, name]) => name).join('.')
}

function suffix(name: unknown): string {
  return typeof name === 'string' ? `.${name}` : ''
}
