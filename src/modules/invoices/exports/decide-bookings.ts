import type { Decimal } from '#kernel/decimal'
import { type Money, sumMoney } from '#kernel/money'
import type { OrderMoney } from '#modules/payments'
import type { BookkeepingAccounts, RateAccount, Treatment } from '#modules/taxes'
import type { InvoiceLine } from '../model/invoice.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { percentageAtScale, RATE_DECIMALS } from '../model/tax-parts.ts'

/**
 * An account that the settings do not name.
 * - `kind`: `currency` is that of the legal entity.
 */
export interface MissingAccount {
  readonly kind:
    | 'receivables'
    | 'bank'
    | 'cash'
    | 'fees'
    | 'disputes'
    | 'revenue'
    | 'tax'
    | 'datev'
    | 'currency'
  readonly percentage?: Decimal
  readonly treatment?: Treatment
}

/**
 * The lines of a document that are taxed alike: rates of a country and its region as their sum. Amounts are those of the document,
 * so of credit notes positive.
 */
export interface RateGroup {
  readonly treatment: Treatment
  readonly percentage: Decimal
  readonly lines: readonly InvoiceLine[]
  readonly gross: Money
}

export function rateGroupsOf({ currency, lines }: Pick<IssuedInvoice, 'currency' | 'lines'>): RateGroup[] {
  const groups = Map.groupBy(lines, (line) => `${line.treatment} ${percentageOf(line).unscaled}`)
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const members = [first, ...others]
    return {
      treatment: first.treatment,
      percentage: percentageOf(first),
      lines: members,
      gross: sumMoney(
        currency,
        members.map(({ total }) => total),
      ),
    }
  })
}

function percentageOf({ rates }: Pick<InvoiceLine, 'rates'>): Decimal {
  const unscaled = rates.reduce((sum, { percentage }) => sum + percentageAtScale(percentage), 0n)
  return { unscaled, scale: RATE_DECIMALS }
}

export function accountOf(
  accounts: readonly RateAccount[],
  { treatment, percentage }: Pick<RateGroup, 'treatment' | 'percentage'>,
): RateAccount | undefined {
  return accounts.find(
    (one) =>
      one.treatment === treatment && percentageAtScale(one.percentage) === percentageAtScale(percentage),
  )
}

/** Money against receivables: cash has an account of its own. */
export function moneyKind(paymentMethod: string): 'bank' | 'cash' {
  return paymentMethod === 'cash' ? 'cash' : 'bank'
}

/** Money against receivables, which disputes leave as they are: the invoice stays paid. */
export function contraKind({ type }: Pick<OrderMoney, 'type'>): 'receivables' | 'disputes' {
  return type === 'Dispute' ? 'disputes' : 'receivables'
}

/** What a payment, a refund or a dispute lacks. */
export function missingOfMoney(
  { type, paymentMethod, fee }: Pick<OrderMoney, 'type' | 'paymentMethod' | 'fee'>,
  accounts: BookkeepingAccounts,
): MissingAccount[] {
  const needed = [moneyKind(paymentMethod), contraKind({ type }), ...(fee.isZero() ? [] : ['fees' as const])]
  return needed.flatMap((kind) => (accounts[kind] === null ? [{ kind }] : []))
}

/** What a document's rates and its receivable lack. */
export function missingOfDocument(
  document: Pick<IssuedInvoice, 'currency' | 'lines'>,
  accounts: BookkeepingAccounts,
  needed: { readonly receivables: boolean; readonly tax: boolean },
): MissingAccount[] {
  const groups = rateGroupsOf(document)
  return [
    ...(needed.receivables && accounts.receivables === null ? [{ kind: 'receivables' as const }] : []),
    ...groups.flatMap((group): MissingAccount[] => {
      const { percentage, treatment } = group
      return [
        ...(accountOf(accounts.revenue, group) === undefined
          ? [{ kind: 'revenue' as const, percentage, treatment }]
          : []),
        ...(needed.tax && accountOf(accounts.tax, group) === undefined
          ? [{ kind: 'tax' as const, percentage, treatment }]
          : []),
      ]
    }),
  ]
}
