import { type Command, InvalidArgumentError } from 'commander'
import { connect, type Connection } from '../connection.ts'
import { explain } from '../explain.ts'
import { follow } from '../follow.ts'
import { formatOf, note, print, printObject, printRows, safe } from '../output.ts'
import { sendRaw, withQuery } from '../request.ts'
import { readCount } from './resources.ts'

const REQUESTS = '/svc/log/api/v1/openapi/requests'
const POLL_MS = 1_000
const PAGE = 100

interface LoggedRequest {
  readonly request_id: string
  readonly method: string
  readonly path: string
  readonly status: unknown
  readonly reason: string | null
  readonly user_agent: string | null
  readonly created_at: string
}

interface LogOptions {
  readonly status?: string
  readonly method?: string
  readonly filter?: string
  readonly json?: boolean
}

export function addLogs(program: Command): void {
  const logs = program.command('logs').description('read the API requests of the last 30 days')
  withFilter(logs.command('tail').description('print API requests as they arrive')).action(
    async (options: LogOptions, command: Command) => tail(await connect(command), options),
  )
  withFilter(logs.command('list').description('list API requests, newest first'))
    .option('--limit <count>', 'how many', readCount, 20)
    .action(async (options: LogOptions & { limit: number }, command: Command) => {
      const connection = await connect(command)
      const rows: LoggedRequest[] = []
      for (let cursor: string | undefined; rows.length < options.limit;) {
        const page = await readRequests(
          connection,
          options,
          cursor,
          Math.min(PAGE, options.limit - rows.length),
        )
        rows.push(...page.rows)
        if (page.nextCursor === null) break
        cursor = page.nextCursor
      }
      printRows(
        rows,
        [
          { title: 'created_at', of: (row) => row.created_at },
          { title: 'status', of: ({ status }) => JSON.stringify(status) },
          { title: 'method', of: ({ method }) => method },
          { title: 'path', of: ({ path }) => path },
          { title: 'reason', of: ({ reason }) => reason },
          { title: 'request_id', of: (row) => row.request_id },
        ],
        formatOf(options),
      )
    })
  logs
    .command('get')
    .description('show one request with its bodies, redacted')
    .argument('<request id>')
    .option('--json', 'print JSON')
    .action(async (id: string, options: { json?: boolean }, command: Command) => {
      const path = `${REQUESTS}/${encodeURIComponent(id)}`
      const { request } = await sendRaw(await connect(command), { method: 'GET', path })
      printObject(request as object, formatOf(options))
    })
}

function withFilter(command: Command): Command {
  return command
    .option('--status <status>', 'such as 402, or 4xx for all of a kind', readStatus)
    .option('--method <method>', 'such as POST')
    .option('--filter <filter>', 'AIP-160 filter, such as \'reason = "order_not_found"\'')
    .option('--json', 'print JSON, one request a line when tailing')
}

async function tail(connection: Connection, options: LogOptions): Promise<void> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const requests = follow(
    (cursor) => readRequests(connection, options, cursor, PAGE),
    (request) => request.request_id,
    {
      intervalMs: POLL_MS,
      signal: stop.signal,
      onError: (error) => note(`${explain(error)} Trying again.`),
      onReady: () =>
        note(`Requests of the ${connection.environment} environment at ${connection.url}. Stop with Ctrl+C.`),
    },
  )
  const isTable = formatOf(options) === 'table'
  for await (const request of requests) {
    if (isOfListener(request)) continue
    const { created_at: at, status, method, path, reason } = request
    const line = `${at}  [${JSON.stringify(status)}] ${method} ${path} ${reason ?? ''} [${request.request_id}]`
    print(isTable ? safe(line) : JSON.stringify(request))
  }
}

/** `listen` in another terminal asks for events every second. */
function isOfListener({ method, path, user_agent: agent }: LoggedRequest): boolean {
  return method === 'GET' && path.endsWith('/events') && agent?.startsWith('quittance-cli/') === true
}

async function readRequests(
  connection: Connection,
  options: LogOptions,
  cursor: string | undefined,
  limit: number,
) {
  const data = await sendRaw(connection, {
    method: 'GET',
    path: withQuery(REQUESTS, { filter: filterOf(options), limit, cursor }),
  })
  const { next_cursor: nextCursor } = data['page'] as { next_cursor: string | null }
  return { rows: data['requests'] as LoggedRequest[], nextCursor }
}

/** Reading the log is a request too, so a tail would show itself forever. */
const NOT_OURS = 'path != "/svc/log/*"'

function filterOf({ status, method, filter }: LogOptions): string {
  const parts = [
    NOT_OURS,
    status === undefined ? undefined : statusFilter(status),
    method === undefined ? undefined : `method = ${JSON.stringify(method.toUpperCase())}`,
    filter === undefined ? undefined : `(${filter})`,
  ].filter((part) => part !== undefined)
  return parts.join(' AND ')
}

function statusFilter(status: string): string {
  const from = Number(status.replace(/xx$/, '00'))
  return status.endsWith('xx') ? `status >= ${from} AND status < ${from + 100}` : `status = ${from}`
}

function readStatus(text: string): string {
  if (/^[1-5](?:\d\d|xx)$/.test(text)) return text
  throw new InvalidArgumentError('It must be a status such as 402, or 4xx.')
}
