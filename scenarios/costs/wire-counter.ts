import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { cleanUp } from '#platform/testing/clean-up'

interface WireCounts {
  statements: number
  transactions: number
  /** Replies of "ready for query": each ends what was sent together. */
  roundTrips: number
}

interface WireCounter {
  readonly url: string
  readonly counts: WireCounts
  /** When the last transaction that counts ended, on the clock of `performance`. */
  lastAtMs(): number
}

/** Writes of the request log, whose number depends on time, and statements of idle processes. */
const UNCOUNTED = /\binto request_log|\bprocesses\b|\bran_migrations\b|\bnext_runs n\b|\bpg_inherits\b/

/** Forwards connections to PostgreSQL and reads the messages of its protocol, version 3. */
export async function startWireCounter(postgresUrl: string): Promise<WireCounter> {
  const target = new URL(postgresUrl)
  const counts: WireCounts = { statements: 0, transactions: 0, roundTrips: 0 }
  let lastAtMs = performance.now()
  const ended = (of: WireCounts) => {
    counts.statements += of.statements
    counts.transactions += of.transactions
    counts.roundTrips += of.roundTrips
    lastAtMs = performance.now()
  }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const postgres = createConnection(Number(target.port), target.hostname)
    for (const socket of [client, postgres]) {
      socket.setNoDelay(true).on('error', () => socket.destroy())
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    countConnection(client, postgres, ended)
    client.pipe(postgres).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = new URL(postgresUrl)
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.toString(), counts, lastAtMs: () => lastAtMs }
}

function countConnection(client: Socket, postgres: Socket, ended: (of: WireCounts) => void): void {
  const statements = new Map<string, string>()
  let isCounted = true
  let open: WireCounts = { statements: 0, transactions: 0, roundTrips: 0 }
  const sent = (text: string) => {
    if (UNCOUNTED.test(text)) isCounted = false
  }
  const onSent = (type: string, body: Buffer) => {
    const [first = '', second = ''] = type === 'D' ? [] : body.toString('utf8').split('\0', 2)
    if (type === 'Q') sent(first)
    else if (type === 'P') statements.set(first, second)
    else if (type === 'B') sent(statements.get(second) ?? '')
  }
  const onReceived = (type: string, body: Buffer) => {
    if (type === 'C') open.statements++
    if (type !== 'Z') return
    open.roundTrips++
    if (body.toString('latin1', 0, 1) !== 'I') return
    open.transactions++
    if (isCounted && open.statements > 0) ended(open)
    open = { statements: 0, transactions: 0, roundTrips: 0 }
    isCounted = true
  }
  client.on('data', messages(true, onSent))
  postgres.on('data', messages(false, onReceived))
}

/** @param startsWithoutType true for a client, whose first message has no type and does not count */
function messages(startsWithoutType: boolean, onMessage: (type: string, body: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let isStart = startsWithoutType
  return (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const head = isStart ? 0 : 1
      if (rest.length < head + 4) return
      const end = head + rest.readInt32BE(head)
      if (rest.length < end) return
      if (!isStart) onMessage(rest.toString('latin1', 0, 1), rest.subarray(5, end))
      isStart = false
      rest = rest.subarray(end)
    }
  }
}
