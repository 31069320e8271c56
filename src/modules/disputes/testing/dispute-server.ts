import { text } from 'node:stream/consumers'
import { Money } from '#kernel/money'
import type { AcquirerDisputes, DisputeRecord, Evidence } from '#modules/acquirers'
import { startHttpServer } from '#platform/testing/http-server'

export interface BookedDispute {
  reference: string
  payment: string
  amount: string
  currency: string
  reason: string
  state: DisputeRecord['state']
  respondBy: string | null
  openedAt: string
  submittedUnder: string | null
  evidence: { texts: Record<string, string>; files: Record<string, { name: string; content: string }> }
}

type Fault = 'none' | 'fail_before' | 'lose_answer' | 'refuse'

interface Reply {
  readonly status: number
  readonly body: unknown
}

const PAGE = 2

export async function startDisputeServer() {
  const books = new Map<string, BookedDispute>()
  const requests: string[] = []
  const faults: {
    submit: Fault
    get: Fault
    beforeBooking: (() => Promise<void>) | undefined
    beforeReply: (() => Promise<void>) | undefined
  } = {
    submit: 'none',
    get: 'none',
    beforeBooking: undefined,
    beforeReply: undefined,
  }
  const url = await startHttpServer((request, response) => {
    void (async () => {
      const [path = '', query = ''] = (request.url ?? '').split('?')
      requests.push(`${request.method} ${path}`)
      const fault = request.method === 'POST' ? faults.submit : path === '/' ? 'none' : faults.get
      const key = request.headers['idempotency-key']
      const sent = await text(request)
      await faults.beforeBooking?.()
      const reply: Reply =
        fault === 'fail_before'
          ? { status: 500, body: {} }
          : fault === 'refuse'
            ? { status: 400, body: { message: 'a receipt is missing' } }
            : answer(request.method === 'POST', path.slice(1), new URLSearchParams(query), String(key), sent)
      const said = JSON.stringify(reply.body)
      await faults.beforeReply?.()
      if (fault === 'lose_answer') return response.destroy()
      return response.writeHead(reply.status).end(said)
    })()
  })

  function answer(isPost: boolean, id: string, query: URLSearchParams, key: string, sent: string): Reply {
    if (id === '') return { status: 200, body: pageOf(query) }
    const dispute = books.get(id)
    if (dispute === undefined) return { status: 404, body: {} }
    if (!isPost || dispute.submittedUnder === key) return { status: 200, body: dispute }
    if (dispute.submittedUnder !== null) return { status: 400, body: { message: 'already submitted' } }
    dispute.submittedUnder = key
    dispute.evidence = JSON.parse(sent) as BookedDispute['evidence']
    dispute.state = dispute.state === 'inquiry_needs_response' ? 'inquiry_under_review' : 'under_review'
    return { status: 200, body: dispute }
  }

  function pageOf(query: URLSearchParams): object {
    const after = query.get('openedAfter') ?? ''
    const newest = [...books.values()]
      .filter(({ openedAt }) => openedAt > after)
      .toSorted((a, b) => (a.openedAt < b.openedAt ? 1 : -1))
    const start = newest.findIndex(({ reference }) => reference === query.get('cursor')) + 1
    const items = newest.slice(start, start + PAGE)
    const isLast = start + PAGE >= newest.length
    return { items, nextCursor: isLast ? null : items.at(-1)?.reference }
  }

  return { books, requests, faults, disputes: clientOf(url) }
}

function clientOf(url: string): AcquirerDisputes {
  const ask = async <Value>(path: string, read: (body: unknown) => Value, init: RequestInit = {}) => {
    try {
      const response = await fetch(url + path, init)
      const body: unknown = await response.json()
      if (response.status === 404) return { kind: 'absent' as const }
      if (response.status >= 500) return { kind: 'unavailable' as const, message: 'it failed' }
      if (response.status >= 400)
        return { kind: 'refused' as const, message: (body as { message: string }).message }
      return { kind: 'ok' as const, value: read(body) }
    } catch {
      return { kind: 'unavailable' as const, message: 'no answer' }
    }
  }
  return {
    evidenceTexts: new Set(['uncategorized_text', 'customer_name']),
    evidenceFiles: new Set(['receipt', 'uncategorized_file']),
    get: (reference) => ask(`/${reference}`, recordOf),
    list: ({ openedAfter, cursor }) =>
      ask(`/?openedAfter=${openedAfter.toString()}&cursor=${cursor ?? ''}`, (body) => {
        const { items, nextCursor } = body as { items: BookedDispute[]; nextCursor: string | null }
        return { items: items.map(recordOf), nextCursor }
      }),
    submit: (reference, evidence, key) =>
      ask(`/${reference}`, recordOf, {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: JSON.stringify(bodyOf(evidence)),
      }),
  }
}

function bodyOf({ texts, files }: Evidence): object {
  return {
    texts,
    files: Object.fromEntries(
      Object.entries(files).map(([name, file]) => [
        name,
        { name: file.name, content: file.content.toString('base64') },
      ]),
    ),
  }
}

function recordOf(body: unknown): DisputeRecord {
  const booked = body as BookedDispute
  return {
    reference: booked.reference,
    paymentReference: booked.payment,
    amount: Money.ofDecimal(booked.currency, booked.amount),
    reason: booked.reason,
    state: booked.state,
    respondBy: booked.respondBy === null ? null : Temporal.Instant.from(booked.respondBy),
    openedAt: Temporal.Instant.from(booked.openedAt),
    isSubmitted: booked.submittedUnder !== null,
  }
}
