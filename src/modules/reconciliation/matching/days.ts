import type { Currency } from '#kernel/currencies'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { CountedEntry } from '../model/entry.ts'
import { amountOf } from './match-entries.ts'
import type { SettledDay } from '../model/totals.ts'

export function changesOfDays(
  added: readonly CountedEntry[],
  removed: readonly CountedEntry[],
  zone: TimeZone,
): SettledDay[] {
  const changes = new Map<string, SettledDay>()
  const add = (day: string, currency: Currency, { fee = 0n, paid = 0n }) => {
    const key = `${currency} ${day}`
    const known = changes.get(key)
    changes.set(key, { currency, day, fee: (known?.fee ?? 0n) + fee, paid: (known?.paid ?? 0n) + paid })
  }
  const count = (entry: CountedEntry, sign: bigint) => {
    if (entry.movedAt === null) return
    const day = localDateOf(entry.movedAt, zone).toString()
    add(day, entry.currency, { fee: sign * keptFee(entry) })
    if (entry.type !== 'payment' || entry.transactionId === null) return
    const { currency, minor } = entry.expected ?? amountOf(entry)
    add(day, currency, { paid: sign * minor })
  }
  for (const entry of added) count(entry, 1n)
  for (const entry of removed) count(entry, -1n)
  return [...changes]
    .filter(([, { fee, paid }]) => fee !== 0n || paid !== 0n)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change)
}

export function keptFee({ type, feeMinor, netMinor }: Pick<CountedEntry, 'type' | 'feeMinor' | 'netMinor'>) {
  return type === 'fee' ? -netMinor : feeMinor
}
