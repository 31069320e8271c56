import { randomUUID } from 'node:crypto'
import type { Payment } from './payment.ts'
import type { Settlement, SettlementLine } from './settlement-entry.ts'

/** 2.9 %, rounded down. */
const FEE_PER_MILLE = 29n
/** The amount of a line that no payment of ours belongs to, so that tests find it. */
const UNKNOWN_MINOR = 1_234n

/**
 * What is paid out of these payments, one settlement for each currency. The books are wrong on purpose: the first line lacks a
 * minor unit, and the last belongs to no payment. Lost disputes take nothing.
 */
export function settlementsOf(payments: readonly Payment[], tenant: string, nowMs: number): Settlement[] {
  const byCurrency = Map.groupBy(payments, ({ amount }) => amount?.currency ?? '')
  return [...byCurrency].map(([currency, paid]) => ({
    id: `po_${randomUUID()}`,
    tenant,
    currency,
    created_ms: nowMs,
    lines: [...paid.map((payment, index) => lineOf(payment, index === 0)), unknownLine()],
  }))
}

function lineOf({ key, operation, amount }: Payment, isWrong: boolean): SettlementLine {
  const minor = (amount?.minor ?? 0n) - (isWrong ? 1n : 0n)
  const isRefund = operation === 'refund'
  const fee = isRefund ? 0n : (minor * FEE_PER_MILLE) / 1_000n
  return {
    id: `line_${key}`,
    key,
    type: isRefund ? 'refund' : 'payment',
    gross: String(isRefund ? -minor : minor),
    fee: String(fee),
  }
}

function unknownLine(): SettlementLine {
  return { id: `line_${randomUUID()}`, key: null, type: 'payment', gross: String(UNKNOWN_MINOR), fee: '0' }
}

export function isPaidOut({ operation, amount, end }: Payment): boolean {
  return amount !== null && end?.outcome === 'approved' && ['sale', 'capture', 'refund'].includes(operation)
}
