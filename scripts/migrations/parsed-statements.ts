/** Reads the parse trees of libpg-query for the checks of migrations. */
export interface Node {
  readonly [name: string]: unknown
}

export interface Table {
  readonly relname?: string
}

export interface Constraint {
  readonly contype?: string
  readonly conname?: string
  readonly raw_expr?: unknown
  readonly fk_attrs?: readonly { readonly String?: { readonly sval?: string } }[]
}

export interface Column {
  readonly colname?: string
  readonly constraints?: readonly { readonly Constraint?: Constraint }[]
}

export interface Definition {
  readonly ColumnDef?: Column
  readonly Constraint?: Constraint
}

export interface Command {
  readonly subtype?: string
  readonly name?: string
  readonly def?: Definition
}

export function tableOf(body: Node): string {
  return (body['relation'] as Table | undefined)?.relname ?? ''
}

export function commandsOf(body: Node): Command[] {
  const commands = (body['cmds'] as { AlterTableCmd?: Command }[] | undefined) ?? []
  return commands.flatMap(({ AlterTableCmd: command }) => command ?? [])
}

export function typesOf(column: Column | undefined): string[] {
  return (column?.constraints ?? []).map((one) => one.Constraint?.contype ?? '')
}

/** All nodes of a type, at any depth. */
export function nodesOf(value: unknown, type: string): Node[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((one) => nodesOf(one, type))
  return Object.entries(value).flatMap(([name, part]) => [
    ...(name === type ? [part as Node] : []),
    ...nodesOf(part, type),
  ])
}

/** The last part of each column's name that an expression contains. */
export function columnsIn(expression: unknown): string[] {
  return nodesOf(expression, 'ColumnRef').map(({ fields }) => {
    const last = (fields as readonly { readonly String?: { readonly sval?: string } }[]).at(-1)
    return last?.String?.sval ?? ''
  })
}
