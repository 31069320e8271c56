import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { AcquirerPage, AcquirerReply, BalanceEntry, Payout, SettlementReports } from '#modules/acquirers'
import { ACCOUNT, type PlantedBooks } from './planted-books.ts'

const PAGE = 100

type Page = AcquirerPage<BalanceEntry | Payout>

export interface SettlementServer {
  readonly settlement: SettlementReports
  readonly requests: string[]
  readonly faults: { status: number; beforeReply: ((path: string) => Promise<void>) | undefined }
  readonly extra: BalanceEntry[]
  readonly stop: () => void
}

export async function startSettlementServer(books: PlantedBooks): Promise<SettlementServer> {
  const requests: string[] = []
  const faults: SettlementServer['faults'] = { status: 200, beforeReply: undefined }
  const extra: BalanceEntry[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '', 'http://acquirer')
      requests.push(url.pathname)
      await faults.beforeReply?.(url.pathname)
      const body =
        faults.status === 200
          ? pageOf(books, extra, url)
          : { message: `it answers ${faults.status} at the moment` }
      response.writeHead(faults.status).end(JSON.stringify(body, asText))
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    settlement: clientOf(`http://127.0.0.1:${port}`),
    requests,
    faults,
    extra,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function pageOf(books: PlantedBooks, extra: readonly BalanceEntry[], url: URL): Page {
  const given = url.searchParams.get('cursor')
  const after = given === null ? null : Number(given)
  const [, what, id = ''] = url.pathname.split('/')
  if (what === 'payouts' && id === '') {
    const since = url.searchParams.get('createdAfter') ?? ''
    return {
      items: books.payouts().filter(({ createdAt }) => createdAt.toString() > since),
      nextCursor: null,
    }
  }
  if (what === 'payouts') return books.page({ after, ...books.linesOf(id), limit: PAGE })
  const from = Temporal.Instant.from(url.searchParams.get('from') ?? '')
  const until = Temporal.Instant.from(url.searchParams.get('until') ?? '')
  const page = books.page({ after, ...books.numbersBetween(from, until), limit: PAGE })
  return given === null ? { ...page, items: [...extra, ...page.items] } : page
}

function asText(_member: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function clientOf(url: string): SettlementReports {
  const ask = async <Item>(
    path: string,
    query: Record<string, string | null>,
    read: (item: Record<string, string>) => Item,
  ): Promise<AcquirerReply<AcquirerPage<Item>>> => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null)
    try {
      const response = await fetch(`${url}${path}?${new URLSearchParams(given).toString()}`)
      const body = (await response.json()) as {
        message: string
        items: Record<string, string>[]
        nextCursor: string | null
      }
      if (response.status >= 500) return { kind: 'unavailable', message: body.message }
      if (response.status >= 400) return { kind: 'refused', message: body.message }
      return { kind: 'ok', value: { items: body.items.map(read), nextCursor: body.nextCursor } }
    } catch {
      return { kind: 'unavailable', message: 'no answer' }
    }
  }
  return {
    entries: ({ from, until, cursor }) =>
      ask('/lines', { from: from.toString(), until: until.toString(), cursor }, lineOf),
    payouts: ({ createdAfter, cursor }) =>
      ask('/payouts', { createdAfter: createdAfter.toString(), cursor }, payoutOf),
    payoutEntries: ({ payoutId, cursor }) => ask(`/payouts/${payoutId}`, { cursor }, lineOf),
  }
}

function lineOf(item: Record<string, string>): BalanceEntry {
  const line = item as unknown as Omit<BalanceEntry, 'paid'> & {
    paid: { currency: string; amountMinor: string } | null
  }
  return {
    ...line,
    grossMinor: BigInt(item['grossMinor'] ?? ''),
    feeMinor: BigInt(item['feeMinor'] ?? ''),
    netMinor: BigInt(item['netMinor'] ?? ''),
    paid: line.paid && { currency: line.paid.currency, amountMinor: BigInt(line.paid.amountMinor) },
    createdAt: Temporal.Instant.from(item['createdAt'] ?? ''),
    availableAt: item['availableAt'] == null ? null : Temporal.Instant.from(item['availableAt']),
  }
}

function payoutOf(item: Record<string, string>): Payout {
  return {
    ...(item as unknown as Payout),
    amountMinor: BigInt(item['amountMinor'] ?? ''),
    createdAt: Temporal.Instant.from(item['createdAt'] ?? ''),
    arrivesAt: Temporal.Instant.from(item['arrivesAt'] ?? ''),
  }
}

export function accountsWith({ settlement }: SettlementServer) {
  return {
    accounts: async () => [{ id: ACCOUNT, state: 'active' }],
    settlementOf: async () => settlement,
    settleAtSimulator: async () => true,
  }
}
