import { minorDigits } from '#kernel/currencies'
import { Money } from '#kernel/money'
import { type BookkeepingAccounts, convert } from '#modules/taxes'
import { signed } from '../model/signed.ts'
import type { BaseRate } from './base-rates.ts'
import { AMOUNT_DECIMALS, type Booking } from './datev.ts'
import { accountOf, contraKind, type MissingAccount, moneyKind, rateGroupsOf } from './decide-bookings.ts'
import type { ConvertedDocument, ConvertedMovement, ConvertedWriteOff } from './export-pages.ts'

/**
 * Receivables against revenue with tax: DATEV splits the tax off by the tax key or the account. Amounts in the currency of the books are
 * running shares, so that they sum to the converted document.
 */
export function bookingsOf({ document, base }: ConvertedDocument, accounts: BookkeepingAccounts): Booking[] {
  const groups = rateGroupsOf(document).filter(({ gross }) => !gross.isZero())
  const inBase = runningConverter(base, document.currency)
  return groups.map((group) => {
    const revenue = accountOf(accounts.revenue, group)
    const amount = signed(document, group.gross)
    return {
      amount,
      inBase: inBase(amount),
      account: accounts.receivables ?? '',
      contra: revenue?.account ?? '',
      taxKey: revenue?.taxKey ?? null,
      date: document.issueDate,
      reference: document.number,
      corrected: document.corrected.at(0)?.number ?? '',
      text: document.buyer.name,
    }
  })
}

/** Bank or cash, and what the bank kept, against receivables or disputes; what left the bank has a negative amount. */
export function bookingsOfMoney(
  { money, invoice, base }: ConvertedMovement,
  accounts: BookkeepingAccounts,
): Booking[] {
  const inBase = runningConverter(base, money.amount.currency)
  const parts = [
    { amount: money.amount.minus(money.fee), account: accounts[moneyKind(money.paymentMethod)] },
    { amount: money.fee, account: accounts.fees },
  ]
  return parts
    .filter(({ amount }) => !amount.isZero())
    .map(({ amount, account }) => ({
      amount,
      inBase: inBase(amount),
      account: account ?? '',
      contra: accounts[contraKind(money)] ?? '',
      taxKey: null,
      date: money.date,
      reference: invoice.number,
      corrected: '',
      text: invoice.buyerName,
    }))
}

/** With its tax, which the bookkeeper may correct; what was reversed has a negative amount. */
export function bookingOfWriteOff(
  { writeOff: { amount, date }, invoice, base }: ConvertedWriteOff,
  accounts: BookkeepingAccounts,
): Booking {
  return {
    amount,
    inBase: runningConverter(base, amount.currency)(amount),
    account: accounts.writeOffs ?? '',
    contra: accounts.receivables ?? '',
    taxKey: null,
    date,
    reference: invoice.number,
    corrected: '',
    text: invoice.buyerName,
  }
}

/** An amount with more decimals than DATEV has can be booked in the currency of the seller only. */
export function missingOfBooking(currency: string, base: BaseRate): MissingAccount[] {
  if (base !== null && 'missing' in base) return []
  const booked = base === null ? currency : convert(Money.zero(currency), base.rate).currency
  return minorDigits(booked) > AMOUNT_DECIMALS ? [{ kind: 'currency' }] : []
}

function runningConverter(base: BaseRate, currency: string): (amount: Money) => Booking['inBase'] {
  if (base === null || 'missing' in base) return () => null
  const { rate } = base
  let sum = Money.zero(currency)
  let converted = convert(sum, rate)
  return (amount) => {
    sum = sum.plus(amount)
    const until = convert(sum, rate)
    const share = until.minus(converted)
    converted = until
    return { amount: share, rate }
  }
}
