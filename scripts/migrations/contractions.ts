import { parse } from 'libpg-query'
import {
  columnsIn,
  type Command,
  commandsOf,
  type Constraint,
  type Definition,
  type Node,
  type Table,
  tableOf,
  typesOf,
} from './parsed-statements.ts'

interface Index {
  readonly idxname?: string
  readonly unique?: boolean
  readonly nulls_not_distinct?: boolean
  readonly indexParams?: readonly { readonly IndexElem?: { readonly name?: string } }[]
}

/**
 * What migrations created, by name: `drop index` and `drop constraint` do not say what kind of thing they drop.
 *
 * - `indexes`: Whether the index is unique, by its name.
 * - `constraints`: PostgreSQL's type of a constraint with a name of its own, by `table.name`.
 */
export interface Schema {
  readonly indexes: Map<string, boolean>
  readonly constraints: Map<string, string>
}

const FILLED = new Set(['CONSTR_DEFAULT', 'CONSTR_GENERATED', 'CONSTR_IDENTITY'])
const LOOSENING = new Set(['CONSTR_CHECK', 'CONSTR_FOREIGN'])
/** The names that PostgreSQL gives to a check or a foreign key without one. */
const UNNAMED_LOOSENING = /_(check|fkey)\d*$/

export function emptySchema(): Schema {
  return { indexes: new Map(), constraints: new Map() }
}

/**
 * Lists what in a migration breaks the version before, which still runs:
 *
 * - tables, columns and other things that it drops or renames;
 * - types that it changes, and columns that become required;
 * - new constraints and unique indexes on older tables: the older program's rows may violate them, unless these rows have a
 *   null in a column of the foreign key or index, or the check names new columns only, which these rows leave as older rows do;
 * - unique indexes and constraints that it drops: the older program's `on conflict (…)` fails without them.
 *
 * Tables that the same migration creates do not count. `schema` is what earlier migrations created; what this one creates is
 * added to it.
 */
export async function contractionsOf(text: string, schema: Schema = emptySchema()): Promise<string[]> {
  const { stmts = [] } = (await parse(text)) as { stmts?: { stmt?: Node }[] }
  const created = new Set<string>()
  const newColumns = new Set<string>()
  const emptyColumns = new Set<string>()
  const found: string[] = []
  for (const { stmt = {} } of stmts) {
    const [[kind, body] = ['', {}]] = Object.entries(stmt) as [string, Node][]
    if (kind === 'CreateStmt') created.add(tableOf(body))
    if (kind === 'CreateTableAsStmt') created.add((body['into'] as { rel?: Table }).rel?.relname ?? '')
    for (const { name, isEmpty } of addedColumnsOf(kind, body)) {
      newColumns.add(name)
      if (isEmpty) emptyColumns.add(name)
    }
    const isOwn = created.has(tableOf(body)) || (kind === 'IndexStmt' && exemptsOldRows(body, emptyColumns))
    if (!isOwn) found.push(...contractionsOfStatement(kind, body, schema, { newColumns, emptyColumns }))
    record(kind, body, schema)
  }
  return found
}

/** Columns, as `table.column`, that the migration adds to older tables: all, and those that are null in rows of the version before. */
interface Added {
  readonly newColumns: ReadonlySet<string>
  readonly emptyColumns: ReadonlySet<string>
}

function contractionsOfStatement(
  kind: string,
  body: Node,
  schema: Schema,
  { newColumns, emptyColumns }: Added,
): string[] {
  const table = tableOf(body)
  switch (kind) {
    case 'DropStmt':
      return namesOf(body['objects']).flatMap((name) =>
        body['removeType'] === 'OBJECT_INDEX' ? dropOfIndex(lastPart(name), schema) : [`drops ${name}`],
      )
    case 'RenameStmt':
      return body['renameType'] === 'OBJECT_INDEX' ? [] : [`renames ${table}${suffix(body['subname'])}`]
    case 'TruncateStmt':
      return ['truncates a table']
    case 'IndexStmt': {
      const { unique, idxname = '' } = body as Index
      return unique === true ? [`adds the unique index ${idxname} to ${table}`] : []
    }
    case 'AlterTableStmt':
      if (body['objtype'] === 'OBJECT_INDEX') return []
      return commandsOf(body)
        .filter(({ def }) => !isEmptyForeignKey(table, def?.Constraint, emptyColumns))
        .filter(({ def }) => !isCheckOfNewColumns(table, def?.Constraint, newColumns))
        .flatMap((command) => contractionOfCommand(table, command, schema))
    default:
      return []
  }
}

function dropOfIndex(name: string, { indexes }: Schema): string[] {
  const isUnique = indexes.get(name)
  if (isUnique === false) return []
  return [`drops the ${isUnique === undefined ? 'unknown' : 'unique'} index ${name}`]
}

function contractionOfCommand(
  table: string,
  { subtype = '', name = '', def }: Command,
  { constraints }: Schema,
): string[] {
  switch (subtype) {
    case 'AT_DropColumn':
      return [`drops ${table}.${name}`]
    case 'AT_AlterColumnType':
      return [`changes the type of ${table}.${name}`]
    case 'AT_SetNotNull':
      return [`requires ${table}.${name}`]
    case 'AT_AddColumn': {
      const types = typesOf(def?.ColumnDef)
      const isRequired = types.some((type) => type === 'CONSTR_NOTNULL' || type === 'CONSTR_PRIMARY')
      return isRequired && !isFilled(types)
        ? [`adds ${table}.${def?.ColumnDef?.colname ?? ''} without a default`]
        : []
    }
    case 'AT_AddConstraint':
      return [`adds the constraint ${def?.Constraint?.conname ?? ''} to ${table}`]
    case 'AT_DropConstraint': {
      const type = constraints.get(`${table}.${name}`)
      const loosens = type === undefined ? UNNAMED_LOOSENING.test(name) : LOOSENING.has(type)
      return loosens ? [] : [`drops the constraint ${name} of ${table}`]
    }
    default:
      return []
  }
}

function addedColumnsOf(kind: string, body: Node): { readonly name: string; readonly isEmpty: boolean }[] {
  if (kind !== 'AlterTableStmt') return []
  return commandsOf(body)
    .filter(({ subtype }) => subtype === 'AT_AddColumn')
    .map(({ def }) => ({
      name: `${tableOf(body)}.${def?.ColumnDef?.colname ?? ''}`,
      isEmpty: !isFilled(typesOf(def?.ColumnDef)),
    }))
}

function isCheckOfNewColumns(
  table: string,
  { contype, raw_expr: expression }: Constraint = {},
  newColumns: ReadonlySet<string>,
): boolean {
  return (
    contype === 'CONSTR_CHECK' && columnsIn(expression).every((name) => newColumns.has(`${table}.${name}`))
  )
}

/** Whether rows of the version before have a null in the index, which never conflicts with another. */
function exemptsOldRows(body: Node, emptyColumns: ReadonlySet<string>): boolean {
  const { indexParams = [], nulls_not_distinct: nullsCollide = false } = body as Index
  return (
    !nullsCollide &&
    indexParams.some(({ IndexElem: element }) => emptyColumns.has(`${tableOf(body)}.${element?.name ?? ''}`))
  )
}

/** Whether rows of the version before have a null in the foreign key, which then refers to nothing. */
function isEmptyForeignKey(
  table: string,
  { contype, fk_attrs: columns = [] }: Constraint = {},
  emptyColumns: ReadonlySet<string>,
): boolean {
  return (
    contype === 'CONSTR_FOREIGN' &&
    columns.some(({ String: name }) => emptyColumns.has(`${table}.${name?.sval ?? ''}`))
  )
}

function record(kind: string, body: Node, { indexes, constraints }: Schema): void {
  const table = tableOf(body)
  const newName = String(body['newname'])
  const keep = (constraint: Constraint | undefined) => {
    if (constraint?.conname !== undefined) {
      constraints.set(`${table}.${constraint.conname}`, constraint.contype ?? '')
    }
  }
  switch (kind) {
    case 'CreateStmt':
    case 'AlterTableStmt': {
      const definitions =
        kind === 'CreateStmt'
          ? ((body['tableElts'] as Definition[] | undefined) ?? [])
          : commandsOf(body).map(({ def = {} }) => def)
      for (const { ColumnDef: column, Constraint: constraint } of definitions) {
        keep(constraint)
        for (const { Constraint: ofColumn } of column?.constraints ?? []) keep(ofColumn)
      }
      break
    }
    case 'IndexStmt': {
      const { idxname, unique = false } = body as Index
      if (idxname !== undefined) indexes.set(idxname, unique)
      break
    }
    case 'RenameStmt':
      if (body['renameType'] === 'OBJECT_INDEX') move(indexes, table, newName)
      if (body['renameType'] === 'OBJECT_TABCONSTRAINT') {
        move(constraints, `${table}${suffix(body['subname'])}`, `${table}.${newName}`)
      }
      break
    default:
  }
}

function move<Value>(map: Map<string, Value>, from: string, to: string): void {
  const value = map.get(from)
  if (value !== undefined) map.set(to, value)
}

function isFilled(types: readonly string[]): boolean {
  return types.some((type) => FILLED.has(type))
}

/** The names of what a statement drops, without the types of a function's arguments. */
function namesOf(objects: unknown): string[] {
  return ((objects as Node[] | undefined) ?? []).map((object) => {
    const { objname = object } = (object['ObjectWithArgs'] ?? {}) as { objname?: unknown }
    return [...JSON.stringify(objname).matchAll(/"sval":"([^"]*)"/g)].map(([, name]) => name).join('.')
  })
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function suffix(name: unknown): string {
  return typeof name === 'string' ? `.${name}` : ''
}
