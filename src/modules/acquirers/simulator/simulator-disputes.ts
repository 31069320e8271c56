import type { Pool } from 'undici'
import { isCurrency } from '#kernel/currencies'
import type { Instant } from '#kernel/clock'
import { readMoney } from '#kernel/money'
import type { DisputeRecord, Disputes, Reply } from '../port/disputes.ts'
import { EVIDENCE_FILES, EVIDENCE_TEXTS } from '../port/evidence-names.ts'
import { exchange, type Exchange } from '../port/http-exchange.ts'
import { isMembers, type Members, parseMembers } from '../port/members.ts'

export interface SimulatorConnection {
  readonly pool: Pool
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

export function simulatorDisputes({ pool, headers, timeoutMs }: SimulatorConnection): Disputes {
  const ask = (method: 'GET' | 'POST', path: string, body?: object): Promise<Exchange> =>
    exchange(pool, {
      method,
      path: `/disputes${path}`,
      headers,
      timeoutMs,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return {
    evidenceTexts: EVIDENCE_TEXTS,
    evidenceFiles: EVIDENCE_FILES,
    get: async (reference) => readReply(await ask('GET', `/${encodeURIComponent(reference)}`), readDispute),
    list: async ({ openedAfter, cursor }) =>
      readReply(await ask('GET', `?from=${cursor ?? 0}`), (body) => readList(body, openedAfter)),
    submit: async (reference, { texts, files }, key) => {
      const body = { key, texts, files: Object.keys(files) }
      return readReply(await ask('POST', `/${encodeURIComponent(reference)}/evidence`, body), readDispute)
    },
  }
}

export function readReply<Value>(answer: Exchange, read: (body: Members) => Value | null): Reply<Value> {
  if (answer.kind === 'unanswered') return { kind: 'unavailable', message: answer.reason }
  if (answer.status === 404) return { kind: 'absent' }
  const body = parseMembers(answer.text) ?? {}
  if (answer.status === 400 || answer.status === 409) {
    const { error } = body
    const message = isMembers(error) && typeof error.message === 'string' ? error.message : 'Refused.'
    return { kind: 'refused', message }
  }
  const value = answer.status === 200 ? read(body) : null
  if (value !== null) return { kind: 'ok', value }
  return { kind: 'unavailable', message: `The simulator responded with HTTP ${answer.status}.` }
}

function readList(
  { disputes, next }: Members,
  openedAfter: Instant,
): { items: DisputeRecord[]; nextCursor: string | null } | null {
  if (!Array.isArray(disputes)) return null
  const read = (disputes as Members[]).map(readDispute)
  if (!read.every((dispute) => dispute !== null)) return null
  const items = read.filter(({ openedAt }) => Temporal.Instant.compare(openedAt, openedAfter) > 0)
  const isOver = typeof next !== 'number' || items.length < read.length
  return { items, nextCursor: isOver ? null : String(next) }
}

const STATES = ['needs_response', 'under_review', 'won', 'lost'] as const

function readDispute(body: Members): DisputeRecord | null {
  const { reference, payment_key: paymentReference, amount, currency, reason, submitted } = body
  const state = STATES.find((one) => one === body.state)
  const openedAt = instantOf(body.opened_at)
  const respondBy = instantOf(body.respond_by)
  if (typeof reference !== 'string' || typeof paymentReference !== 'string' || typeof amount !== 'string')
    return null
  if (typeof currency !== 'string' || !isCurrency(currency) || typeof reason !== 'string') return null
  if (state === undefined || openedAt === null || typeof submitted !== 'boolean') return null
  return {
    reference,
    paymentReference,
    amount: readMoney(currency, amount, 'amount', () => new Error('the simulator sent no amount')),
    reason,
    state,
    respondBy: state === 'needs_response' ? respondBy : null,
    openedAt,
    isSubmitted: submitted,
  }
}

export function instantOf(value: unknown): Instant | null {
  return typeof value === 'string' ? Temporal.Instant.from(value) : null
}
