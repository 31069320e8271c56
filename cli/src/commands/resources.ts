import { type Command, InvalidArgumentError } from 'commander'
import type { List, Quittance } from 'quittance'
import { connect } from '../connection.ts'
import { type Column, formatOf, printObject, printRows } from '../output.ts'

/** Members of any object of the API. */
type Row = Readonly<Record<string, unknown>>

interface Resource {
  readonly name: string
  readonly description: string
  readonly columns: readonly string[]
  readonly list?: (quittance: Quittance, query: { filter?: string; limit: number }) => List<object>
  readonly get?: (quittance: Quittance, id: string) => PromiseLike<object>
  /** What `get` takes. */
  readonly id?: string
  /** The list takes no filter. */
  readonly unfiltered?: true
}

const RESOURCES: readonly Resource[] = [
  {
    name: 'orders',
    description: 'orders and their transactions',
    columns: ['number', 'reference_number', 'state', 'currency', 'initial_total', 'paid_total', 'created_at'],
    list: (q, query) => q.orders.list(query),
    get: (q, id) => q.orders.get(orderId(id)),
    id: 'number, reference number or uuid of a transaction',
  },
  {
    name: 'customers',
    description: 'customers',
    columns: ['uuid', 'reference_number', 'name', 'email', 'phone', 'created_at'],
    list: (q, query) => q.customers.list(query),
    get: (q, id) => q.customers.getByReference(id),
    id: 'reference number',
  },
  {
    name: 'plans',
    description: 'recurring plans',
    columns: ['id', 'name', 'reference_number', 'state', 'next_execute_time', 'created_at'],
    list: (q, query) => q.plans.list(query),
    get: (q, id) => q.plans.get(id),
    id: 'id',
  },
  {
    name: 'cards',
    description: 'issued cards',
    columns: ['id', 'title', 'status', 'last_4_digits', 'p_user_id', 'p_created_at'],
    list: (q, query) => q.cards.list(query),
    get: (q, id) => q.cards.get(id),
    id: 'id',
  },
  {
    name: 'disputes',
    description: 'disputes',
    columns: ['id', 'order_number', 'state', 'reason', 'currency', 'amount', 'respond_by'],
    list: (q, query) => q.disputes.list(query),
    get: (q, id) => q.disputes.get(id),
    id: 'id',
  },
  {
    name: 'reconciliations',
    description: 'comparisons with the books of the acquirers',
    columns: [
      'id',
      'acquirer_account_id',
      'date',
      'matched',
      'missing_here',
      'missing_there',
      'different_amount',
    ],
    list: (q, query) => q.reconciliations.list(query),
    get: (q, id) => q.reconciliations.get(id),
    id: 'id',
  },
  {
    name: 'endpoints',
    description: 'webhook endpoints',
    columns: ['id', 'url', 'state', 'created_at'],
    list: (q, { limit }) => q.webhookEndpoints.list({ limit }),
    unfiltered: true,
  },
  {
    name: 'acquirer-accounts',
    description: 'accounts at acquirers',
    columns: ['id', 'acquirer', 'name', 'state', 'created_at'],
    list: (q, { limit }) => q.acquirerAccounts.list({ limit }),
    unfiltered: true,
    get: (q, id) => q.acquirerAccounts.get(id),
    id: 'id',
  },
]

const MAX_ROWS = 100_000

export function addResources(program: Command): void {
  for (const resource of RESOURCES) {
    const command = program.command(resource.name).description(`read ${resource.description}`)
    if (resource.list !== undefined) addListCommand(command, resource, resource.list)
    if (resource.get !== undefined) addGetCommand(command, resource.get, resource.id ?? 'id')
  }
}

function addListCommand(parent: Command, resource: Resource, list: NonNullable<Resource['list']>): void {
  const { columns, unfiltered } = resource
  const found = parent.command('list').description('list them, newest first')
  if (unfiltered !== true) found.option('--filter <filter>', 'AIP-160 filter, such as \'state = "open"\'')
  found
    .option('--limit <count>', 'how many', readCount, 20)
    .option('--json', 'print JSON')
    .action(async (options: { filter?: string; limit: number; json?: boolean }, command: Command) => {
      const { quittance } = await connect(command)
      const { filter, limit } = options
      const query = { limit: Math.min(limit, 100), ...(filter !== undefined && { filter }) }
      const rows = await list(quittance, query).toArray({ limit })
      printRows(rows as Row[], columns.map(columnOf), formatOf(options))
    })
}

function addGetCommand(parent: Command, get: NonNullable<Resource['get']>, what: string): void {
  parent
    .command('get')
    .description('show one')
    .argument('<id>', what)
    .option('--json', 'print JSON')
    .action(async (id: string, options: { json?: boolean }, command: Command) => {
      const { quittance } = await connect(command)
      printObject(await get(quittance, id), formatOf(options))
    })
}

export function readCount(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_ROWS) {
    throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_ROWS}.`)
  }
  return count
}

function columnOf(member: string): Column<Row> {
  return {
    title: member,
    of: (row) => {
      const value = row[member]
      return value === undefined || value === null
        ? ''
        : typeof value === 'string'
          ? value
          : JSON.stringify(value)
    },
  }
}

function orderId(id: string): Parameters<Quittance['orders']['get']>[0] {
  if (id.startsWith('ord_')) return id
  return id.startsWith('txn_') ? { transaction: { uuid: id } } : { reference_number: id }
}
