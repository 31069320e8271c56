import { type Command, InvalidArgumentError } from 'commander'
import type { List, Quittance } from 'quittance'
import { connect } from '../connection.ts'
import { type Column, formatOf, printObject, printRows } from '../output.ts'

/** Members of any object of the API. */
type Row = Readonly<Record<string, unknown>>

interface Query {
  readonly filter?: string
  readonly limit: number
}

/** The methods of a resource of the SDK. */
interface Calls {
  list(query: Query): List<object>
  get?(id: string): PromiseLike<object>
}

interface Resource {
  readonly name: string
  readonly description: string
  readonly columns: readonly string[]
  readonly of: (quittance: Quittance) => Calls
  /** The argument of `get`; without it there is no `get`. */
  readonly id?: string
}

const RESOURCES: readonly Resource[] = [
  {
    name: 'orders',
    description: 'orders and their transactions',
    columns: ['number', 'reference_number', 'state', 'currency', 'initial_total', 'paid_total', 'created_at'],
    of: ({ orders }) => ({ list: (query) => orders.list(query), get: (id) => orders.get(orderId(id)) }),
    id: 'number, reference number or uuid of a transaction',
  },
  {
    name: 'transactions',
    description: 'transactions of all orders',
    columns: [
      'uuid',
      'type',
      'payment_data.transaction_state',
      'currency',
      'amount',
      'order_number',
      'created_at',
    ],
    of: ({ transactions }) => transactions,
  },
  {
    name: 'customers',
    description: 'customers',
    columns: ['uuid', 'reference_number', 'name', 'email', 'phone', 'created_at'],
    of: ({ customers }) => ({
      list: (query) => customers.list(query),
      get: (id) => (id.startsWith('cus_') ? customers.get(id) : customers.getByReference(id)),
    }),
    id: 'uuid or reference number',
  },
  {
    name: 'plans',
    description: 'recurring plans',
    columns: ['id', 'name', 'reference_number', 'state', 'next_execute_time', 'created_at'],
    of: ({ plans }) => plans,
    id: 'id',
  },
  {
    name: 'products',
    description: 'products',
    columns: ['id', 'name', 'reference_id', 'state', 'created_at'],
    of: ({ products }) => products,
    id: 'id',
  },
  {
    name: 'prices',
    description: 'prices of products',
    columns: ['id', 'label', 'currency', 'model', 'unit_amount', 'version', 'state', 'created_at'],
    of: ({ prices }) => prices,
    id: 'id',
  },
  {
    name: 'dunning-policies',
    description: 'dunning policies of plans',
    columns: ['id', 'name', 'reference_id', 'hard', 'new_token', 'exhausted', 'created_at'],
    of: ({ dunningPolicies }) => dunningPolicies,
    id: 'id',
  },
  {
    name: 'legal-entities',
    description: 'legal entities that sell',
    columns: ['id', 'name', 'reference_id', 'oss', 'tax_rounding', 'created_at'],
    of: ({ legalEntities }) => legalEntities,
    id: 'id',
  },
  {
    name: 'tax-rates',
    description: 'tax rates',
    columns: ['id', 'name', 'country', 'region', 'category', 'percentage', 'valid_from', 'valid_until'],
    of: ({ taxRates }) => taxRates,
    id: 'id',
  },
  {
    name: 'coupons',
    description: 'coupons',
    columns: ['id', 'name', 'percent_off', 'amount_off', 'currency', 'redemptions', 'state', 'created_at'],
    of: ({ coupons }) => coupons,
    id: 'id',
  },
  {
    name: 'promotion-codes',
    description: 'promotion codes',
    columns: ['id', 'code', 'coupon_id', 'redemptions', 'state', 'created_at'],
    of: ({ promotionCodes }) => promotionCodes,
    id: 'id',
  },
  {
    name: 'invoices',
    description: 'invoices and credit notes',
    columns: ['id', 'type', 'number', 'state', 'currency', 'total', 'amount_due', 'due_date', 'created_at'],
    of: ({ invoices }) => invoices,
    id: 'id',
  },
  {
    name: 'messages',
    description: 'mails to payers',
    columns: ['id', 'kind', 'state', 'to', 'object_id', 'attempts', 'created_at', 'sent_at'],
    of: ({ messages }) => messages,
    id: 'id',
  },
  {
    name: 'bank-statements',
    description: 'imported bank statements',
    columns: ['id', 'format', 'entries', 'new', 'matched', 'unmatched', 'reference_id', 'created_at'],
    of: ({ bankStatements }) => bankStatements,
    id: 'id',
  },
  {
    name: 'bank-entries',
    description: 'transfers of bank statements',
    columns: [
      'id',
      'state',
      'booking_date',
      'amount',
      'currency',
      'debtor_name',
      'remittance',
      'returned_on',
    ],
    of: ({ bankEntries }) => bankEntries,
    id: 'id',
  },
  {
    name: 'cards',
    description: 'issued cards',
    columns: ['id', 'title', 'status', 'last_4_digits', 'p_user_id', 'p_created_at'],
    of: ({ cards }) => cards,
    id: 'id',
  },
  {
    name: 'disputes',
    description: 'disputes',
    columns: ['id', 'order_number', 'state', 'reason', 'currency', 'amount', 'respond_by'],
    of: ({ disputes }) => disputes,
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
    of: ({ reconciliations }) => reconciliations,
    id: 'id',
  },
  {
    name: 'endpoints',
    description: 'webhook endpoints',
    columns: ['id', 'url', 'state', 'created_at'],
    of: ({ webhookEndpoints }) => webhookEndpoints,
  },
  {
    name: 'acquirer-accounts',
    description: 'accounts at acquirers',
    columns: ['id', 'acquirer', 'name', 'state', 'created_at'],
    of: ({ acquirerAccounts }) => acquirerAccounts,
    id: 'id',
  },
]

const MAX_ROWS = 100_000

export function addResources(program: Command): void {
  for (const resource of RESOURCES) {
    const command = program.command(resource.name).description(`read ${resource.description}`)
    addListCommand(command, resource)
    if (resource.id !== undefined) addGetCommand(command, resource, resource.id)
  }
}

/** A command `list` with the options that all lists have. */
export function listCommand(parent: Command, description: string): Command {
  return parent
    .command('list')
    .description(`list ${description}, newest first`)
    .option('--limit <count>', 'how many', readCount, 20)
    .option('--json', 'print JSON')
}

export interface ListOptions {
  readonly limit: number
  readonly json?: boolean
}

/** Reads as many rows as are requested, in pages of at most 100. */
export function readRows<One>(
  { limit }: ListOptions,
  list: (page: { readonly limit: number }) => List<One>,
): Promise<One[]> {
  return list({ limit: Math.min(limit, 100) }).toArray({ limit })
}

function addListCommand(parent: Command, { columns, of }: Resource): void {
  listCommand(parent, 'them')
    .option('--filter <filter>', 'AIP-160 filter, such as \'state = "open"\'')
    .action(async (options: ListOptions & { filter?: string }, command: Command) => {
      const { quittance } = await connect(command)
      const { filter } = options
      const rows = await readRows(options, (page) =>
        of(quittance).list({ ...page, ...(filter !== undefined && { filter }) }),
      )
      printRows(rows as Row[], columns.map(columnOf), formatOf(options))
    })
}

function addGetCommand(parent: Command, { of }: Resource, what: string): void {
  parent
    .command('get')
    .description('show one')
    .argument('<id>', what)
    .option('--json', 'print JSON')
    .action(async (id: string, options: { json?: boolean }, command: Command) => {
      const { quittance } = await connect(command)
      const found = await of(quittance).get?.(id)
      if (found !== undefined) printObject(found, formatOf(options))
    })
}

export function readCount(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_ROWS) {
    throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_ROWS}.`)
  }
  return count
}

/** @param path names of members, one inside the other; the last one is the title */
function columnOf(path: string): Column<Row> {
  const names = path.split('.')
  return {
    title: names.at(-1) ?? path,
    of: (row) => {
      const value = names.reduce<unknown>((object, name) => (object as Row | undefined)?.[name], row)
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
