import { createHmac } from 'node:crypto'
import type { Command } from 'commander'
import { connect, type Connection } from '../connection.ts'
import { follow } from '../follow.ts'
import { explain } from '../explain.ts'
import { formatOf, note, print, safe } from '../output.ts'
import { Problem } from '../problem.ts'
import { sendRaw, withQuery } from '../request.ts'

const EVENTS = '/svc/event/api/v1/openapi/events'
const POLL_MS = 1_000
const PAGE = 100
const FORWARD_TIMEOUT_MS = 30_000

interface StoredEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly sequence: unknown
  readonly object_id: string
  readonly data: unknown
}

interface ListenOptions {
  readonly forwardTo?: string
  readonly events?: string[]
  readonly json?: boolean
}

export function addListen(program: Command): void {
  program
    .command('listen')
    .description('print events as they happen, and forward them to an address that only you can reach')
    .option('--forward-to <url>', 'such as http://localhost:3000/hook')
    .option(
      '--events <types>',
      'only these types, separated by commas, such as order.paid,plan.paused',
      (text) => text.split(',').map((type) => type.trim()),
    )
    .option('--json', 'print each event as a line of JSON')
    .action(async (options: ListenOptions, command: Command) => {
      const connection = await connect(command)
      await listen(connection, options)
    })
}

async function listen(connection: Connection, options: ListenOptions): Promise<void> {
  const target = options.forwardTo === undefined ? undefined : targetOf(options.forwardTo)
  const secret = listenSecret(connection.apiKey)
  const isTable = formatOf(options) === 'table'
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  const events = follow(
    async (cursor) => {
      const data = await sendRaw(connection, {
        method: 'GET',
        path: withQuery(EVENTS, { limit: PAGE, cursor }),
      })
      const { next_cursor: nextCursor } = data['page'] as { next_cursor: string | null }
      return { rows: data['events'] as StoredEvent[], nextCursor }
    },
    ({ id }) => id,
    {
      intervalMs: POLL_MS,
      signal: stop.signal,
      onError: (error) => note(`${explain(error)} Trying again.`),
      onReady: () => {
        note(`Listening to the ${connection.environment} environment at ${connection.url}. Stop with Ctrl+C.`)
        if (target !== undefined) note(`Forwarding to ${target}. Your webhook secret is ${secret}`)
      },
    },
  )
  for await (const event of events) {
    if (options.events !== undefined && !options.events.includes(event.type)) continue
    print(
      isTable
        ? `${event.timestamp}  --> ${event.type} ${event.object_id} [${event.id}]`
        : JSON.stringify(event),
    )
    if (target !== undefined) note(await forward(event, target, secret))
  }
}

function targetOf(text: string): string {
  const url = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(url))
    throw new Problem(`"${text}" is not an address. It looks like http://localhost:3000/hook.`)
  return new URL(url).href
}

/** Each run with the same API key has the same secret, so that a receiver's settings stay valid. */
function listenSecret(apiKey: string): string {
  return `whsec_${createHmac('sha256', apiKey).update('quittance listen').digest('base64')}`
}

/** Signed as a real delivery is (https://www.standardwebhooks.com). */
async function forward({ id, ...event }: StoredEvent, target: string, secret: string): Promise<string> {
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    })
    await response.body?.cancel()
    return `  <-- [${response.status}] POST ${target} [${id}]`
  } catch (error) {
    const { cause } = error as Error
    return safe(
      `  <-- failed: POST ${target} [${id}]: ${cause instanceof Error ? cause.message : String(error)}`,
    )
  }
}
