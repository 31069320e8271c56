import type { Instant } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import type { Metadata } from '#platform/http/validation/metadata'
import { DEFAULT_CREDIT_NOTE_FORMAT, DEFAULT_INVOICE_FORMAT, isDefaultFormat } from './number-format.ts'
import type { BankAccount } from './bank-account.ts'
import type { ElectronicAddress, SellerContact } from './electronic-address.ts'
import type { Address, TaxId } from './party.ts'

export const TAX_ROUNDINGS = ['document', 'line'] as const

/**
 * Where an entity is registered for tax. Without `region` that is the whole country.
 * - `from`, `until`: Local dates, both inclusive.
 */
export interface Registration {
  readonly country: string
  readonly region: string | null
  readonly number: string | null
  readonly from: string | null
  readonly until: string | null
}

export interface NumberSeries {
  readonly key: string
  readonly invoiceFormat: string
  readonly creditNoteFormat: string
  readonly firstNumber: number
}

/**
 * Numbers of documents that a recovery skipped, `to` included.
 * - `series`: The counter of the numbers, from `counterOf`.
 * - `year`: 0 where the format has none.
 */
export interface NumberGap {
  readonly legalEntityId: string
  readonly type: 'credit_note' | 'invoice'
  readonly series: string
  readonly year: number
  readonly from: bigint
  readonly to: bigint
}

/** - `currency`: In which it reports its tax; null if documents need no other currency than their own. */
export interface LegalEntity {
  readonly id: string
  readonly name: string
  readonly currency: Currency | null
  readonly address: Address
  readonly taxIds: readonly TaxId[]
  readonly registrations: readonly Registration[]
  readonly oss: boolean
  readonly bank: BankAccount | null
  readonly electronicAddress: ElectronicAddress | null
  readonly contact: SellerContact | null
  readonly taxRounding: (typeof TAX_ROUNDINGS)[number]
  readonly series: readonly NumberSeries[]
  readonly footer: string | null
  readonly referenceId: string | null
  readonly metadata: Metadata
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const DEFAULT_SERIES: NumberSeries = {
  key: 'default',
  invoiceFormat: DEFAULT_INVOICE_FORMAT,
  creditNoteFormat: DEFAULT_CREDIT_NOTE_FORMAT,
  firstNumber: 1,
}

/** @param key null for the entity's first series; an entity without series has `default` */
export function seriesOf(
  { series }: Pick<LegalEntity, 'series'>,
  key: string | null,
): NumberSeries | undefined {
  const known = series.length === 0 ? [DEFAULT_SERIES] : series
  return key === null ? known[0] : known.find((one) => one.key === key)
}

export interface LegalEntityWithGaps extends LegalEntity {
  readonly gaps: readonly NumberGap[]
}

/** The series with their gaps. The default series of an entity without series is shown once it has gaps. */
export function seriesWithGaps({
  series,
  gaps,
}: LegalEntityWithGaps): (NumberSeries & { readonly gaps: readonly NumberGap[] })[] {
  const withGaps = (series.length === 0 ? [DEFAULT_SERIES] : series).map((one) => ({
    ...one,
    gaps: gaps.filter(
      (gap) =>
        gap.series === counterOf(one, gap.type === 'invoice' ? one.invoiceFormat : one.creditNoteFormat),
    ),
  }))
  return series.length > 0 ? withGaps : withGaps.filter((one) => one.gaps.length > 0)
}

/** Returns the counter of a series. Series with a default format share one, so that no two documents have the same number. */
export function counterOf({ key }: NumberSeries, format: string): string {
  return isDefaultFormat(format) ? DEFAULT_SERIES.key : key
}
