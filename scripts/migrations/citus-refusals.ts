import { parse } from 'libpg-query'
import type { MigrationFile } from '../../src/platform/postgres/migrations/migration-files.ts'
import { type Command, commandsOf, type Node, nodesOf, tableOf, typesOf } from './parsed-statements.ts'

/** Sentences about migrations, in order, that a database which Citus has distributed cannot run. */
export async function checkCitusRefusals(files: readonly MigrationFile[]): Promise<string[]> {
  const distributed = new Set<string>()
  const problems: string[] = []
  for (const { name, text } of files) {
    for (const refusal of await citusRefusalsOf(text, distributed)) {
      problems.push(
        `migrations/${name}.sql ${refusal}. Citus refuses that on a distributed database (docs/operating/upgrading.md#what-citus-refuses).`,
      )
    }
  }
  return problems
}

/**
 * Lists what Citus 13 refuses on tables that are distributed before the statement runs, by
 * ErrorIfUnsupportedAlterTableStmt in its commands/table.c and by its rule that changes call no function of a column
 * that is not immutable. The check does not read function bodies and `do` blocks.
 * @param distributed The tables that earlier migrations have distributed. The function adds those that this one
 * distributes
 */
async function citusRefusalsOf(text: string, distributed: Set<string>): Promise<string[]> {
  const { stmts = [] } = (await parse(text)) as { stmts?: { stmt?: Node }[] }
  const found: string[] = []
  for (const { stmt = {} } of stmts) {
    const [[kind, body] = ['', {}]] = Object.entries(stmt) as [string, Node][]
    for (const name of placedBy(stmt)) distributed.add(name)
    if (!distributed.has(tableOf(body))) continue
    if (kind === 'AlterTableStmt' && body['objtype'] === 'OBJECT_TABLE') {
      found.push(...refusalsOfCommands(tableOf(body), commandsOf(body)))
    }
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt') {
      const calls = [...mutableCallsOf(body), ...mutableCasesOf(body)]
      found.push(...calls.map((call) => `changes ${tableOf(body)} by ${call}`))
    }
  }
  return found
}

/** The tables that a statement distributes: the first arguments of the two functions, unless the second one is `local`. */
function placedBy(stmt: Node): string[] {
  return nodesOf(stmt, 'FuncCall').flatMap((call) => {
    const name = nameOf(call['funcname'])
    const [table = '', placement = 'tenant'] = stringsOf(call['args'])
    if (name !== 'quittance_tenant_table' && name !== 'quittance_shared_table') return []
    return placement === 'local' ? [] : [table]
  })
}

const SUPPORTED = new Set([
  'AT_AddColumn',
  'AT_ColumnDefault',
  'AT_AlterColumnType',
  'AT_DropColumn',
  'AT_DropNotNull',
  'AT_SetNotNull',
  'AT_AddConstraint',
  'AT_DropConstraint',
  'AT_ValidateConstraint',
  'AT_AttachPartition',
  'AT_DetachPartition',
  'AT_ReplicaIdentity',
  'AT_EnableRowSecurity',
  'AT_DisableRowSecurity',
  'AT_ForceRowSecurity',
  'AT_NoForceRowSecurity',
  'AT_SetCompression',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
])
const ALONE = new Set(['AT_AddConstraint', 'AT_AttachPartition', 'AT_DetachPartition'])
const CONSTRAINTS = new Set([
  'CONSTR_CHECK',
  'CONSTR_PRIMARY',
  'CONSTR_UNIQUE',
  'CONSTR_FOREIGN',
  'CONSTR_IDENTITY',
])

function refusalsOfCommands(table: string, commands: readonly Command[]): string[] {
  return commands.flatMap(({ subtype = '', name = '', def }) => {
    if (!SUPPORTED.has(subtype))
      return [`alters ${table}${name === '' ? '' : `.${name}`} by ${wordsOf(subtype)}`]
    if (subtype === 'AT_AddColumn' && typesOf(def?.ColumnDef).some((type) => CONSTRAINTS.has(type))) {
      return [
        `adds ${table}.${def?.ColumnDef?.colname ?? ''} together with a constraint: add the constraint afterwards, with the name that it has`,
      ]
    }
    if (ALONE.has(subtype) && commands.length > 1) {
      return [`alters ${table} by ${wordsOf(subtype)} beside other commands: give it a statement of its own`]
    }
    return []
  })
}

/** "set storage" of `AT_SetStorage`. */
function wordsOf(subtype: string): string {
  return subtype
    .slice('AT_'.length)
    .replaceAll(/(?!^)([A-Z])/g, ' $1')
    .toLowerCase()
}

/**
 * The functions that migrations have needed. A function that is missing here counts as one that depends on the
 * session.
 */
const IMMUTABLE = new Set([
  'abs',
  'timezone',
  'lower',
  'upper',
  'length',
  'char_length',
  'replace',
  'translate',
  'lpad',
  'left',
  'right',
])
const TIMES = new Set(['timestamptz', 'timestamp', 'date', 'time', 'timetz'])

function mutableCallsOf(body: Node): string[] {
  const calls = nodesOf(body, 'FuncCall')
    .filter((call) => hasColumn(call['args']) && !IMMUTABLE.has(nameOf(call['funcname'])))
    .map((call) => `${nameOf(call['funcname'])}()`)
  const casts = nodesOf(body, 'TypeCast')
    .filter((cast) => hasColumn(cast['arg']) && TIMES.has(typeNameOf(cast)))
    .map((cast) => `a cast to ${typeNameOf(cast)}`)
  const sums = nodesOf(body, 'A_Expr')
    .filter(({ name }) => ['+', '-'].includes(nameOf(name)))
    .filter(({ lexpr, rexpr }) => isSumOfTime(lexpr, rexpr) || isSumOfTime(rexpr, lexpr))
    .map(() => 'adding an interval (say "at time zone \'UTC\'" of the column first)')
  return [...calls, ...casts, ...sums].map((call) => `${call} of a column`)
}

function mutableCasesOf(body: Node): string[] {
  return [...nodesOf(body, 'CaseExpr'), ...nodesOf(body, 'CoalesceExpr')]
    .flatMap((expression) => nodesOf(expression, 'FuncCall'))
    .filter((call) => !IMMUTABLE.has(nameOf(call['funcname'])))
    .map((call) => `${nameOf(call['funcname'])}() in case or coalesce`)
}

function isSumOfTime(interval: unknown, time: unknown): boolean {
  return (
    isInterval(interval) &&
    hasColumn(time) &&
    !isInterval(time) &&
    nodesOf([time], 'FuncCall').every((call) => nameOf(call['funcname']) !== 'timezone')
  )
}

/** `interval '1 day'`, or a multiple of it. */
function isInterval(expression: unknown): boolean {
  const { TypeCast: cast, A_Expr: product } = (expression ?? {}) as { TypeCast?: Node; A_Expr?: Node }
  if (cast !== undefined) return typeNameOf(cast) === 'interval'
  return (
    product !== undefined &&
    nameOf(product['name']) === '*' &&
    (isInterval(product['lexpr']) || isInterval(product['rexpr']))
  )
}

function hasColumn(expression: unknown): boolean {
  return nodesOf(expression, 'ColumnRef').length > 0
}

function typeNameOf(cast: Node): string {
  return nameOf((cast['typeName'] as Node | undefined)?.['names'])
}

function nameOf(names: unknown): string {
  return stringsOf(names).at(-1) ?? ''
}

function stringsOf(value: unknown): string[] {
  return [...(JSON.stringify(value) ?? '').matchAll(/"sval":"([^"]*)"/g)].map(([, text]) => text ?? '')
}
