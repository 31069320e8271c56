import { isCurrency } from '#kernel/currencies'
import { isAfter } from '#kernel/clock'
import { exchange } from '../port/http-exchange.ts'
import type { Members } from '../port/members.ts'
import type { BalanceEntry, Payout, SettlementReports } from '../port/settlement.ts'
import { instantOf, readReply, type SimulatorConnection } from './simulator-disputes.ts'

const MAX_BYTES = 4 * 1024 * 1024
const WHOLE = /^-?\d+$/

/** All lines are those of payouts, which the simulator makes when it is asked to. */
export function simulatorSettlement({ pool, headers, timeoutMs }: SimulatorConnection): SettlementReports {
  const get = (path: string) =>
    exchange(pool, { method: 'GET', path, headers, timeoutMs, maxBytes: MAX_BYTES })
  return {
    entries: async () => ({ kind: 'ok', value: { items: [], nextCursor: null } }),
    payouts: async ({ createdAfter }) =>
      readReply(await get('/settlements'), ({ settlements }) => {
        const items = listOf(settlements, readPayout)
        if (items === null) return null
        return { items: items.filter(({ createdAt }) => isAfter(createdAt, createdAfter)), nextCursor: null }
      }),
    payoutEntries: async ({ payoutId }) =>
      readReply(await get(`/settlements/${encodeURIComponent(payoutId)}`), (body) => {
        const payout = readPayout(body)
        const items = payout === null ? null : listOf(body.lines, (line) => readLine(line, payout))
        return items === null ? null : { items, nextCursor: null }
      }),
  }
}

export async function settleAtSimulator(
  { pool, headers, timeoutMs }: SimulatorConnection,
  keys: readonly string[],
): Promise<boolean> {
  const body = JSON.stringify({ keys })
  const answer = await exchange(pool, { method: 'POST', path: '/settlements', body, headers, timeoutMs })
  return answer.kind === 'answered' && answer.status === 200
}

function listOf<Item>(list: unknown, read: (members: Members) => Item | null): Item[] | null {
  if (!Array.isArray(list)) return null
  const items = (list as Members[]).map(read)
  return items.every((item) => item !== null) ? items : null
}

function readPayout({ id, currency, net, created_at: created }: Members): Payout | null {
  const createdAt = instantOf(created)
  const amountMinor = wholeOf(net)
  if (typeof id !== 'string' || typeof currency !== 'string' || !isCurrency(currency)) return null
  if (createdAt === null || amountMinor === null) return null
  return { id, currency, amountMinor, arrivesAt: createdAt, createdAt, state: 'paid' }
}

function readLine(
  { id, key, type, gross, fee }: Members,
  { currency, createdAt }: Payout,
): BalanceEntry | null {
  const grossMinor = wholeOf(gross)
  const feeMinor = wholeOf(fee)
  if (typeof id !== 'string' || (type !== 'payment' && type !== 'refund')) return null
  if (grossMinor === null || feeMinor === null) return null
  return {
    id,
    type,
    acquirerType: type,
    reference: typeof key === 'string' ? key : null,
    currency,
    grossMinor,
    feeMinor,
    netMinor: grossMinor - feeMinor,
    paid: null,
    createdAt,
    availableAt: createdAt,
  }
}

function wholeOf(value: unknown): bigint | null {
  return typeof value === 'string' && WHOLE.test(value) ? BigInt(value) : null
}
