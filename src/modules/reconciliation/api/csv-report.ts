import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import { csvLine } from '#platform/http/routes/csv'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import type { Entry } from '../model/entry.ts'
import type { EntriesReport } from '../read-reconciliations.ts'

const COLUMNS: readonly (readonly [name: string, value: (entry: Entry) => string | null])[] = [
  ['id', ({ id }) => id],
  ['result', ({ result }) => result],
  ['type', ({ type }) => type],
  ['acquirer_type', ({ acquirerType }) => acquirerType],
  ['acquirer_reference', ({ reference }) => reference],
  ['currency', ({ currency }) => currency],
  ['gross', ({ currency, grossMinor }) => amountText(currency, grossMinor)],
  ['fee', ({ currency, feeMinor }) => amountText(currency, feeMinor)],
  ['net', ({ currency, netMinor }) => amountText(currency, netMinor)],
  ['paid_currency', ({ paid }) => paid && paid.currency],
  ['paid_amount', ({ paid }) => paid && amountText(paid.currency, paid.amountMinor)],
  ['expected_currency', ({ expected }) => expected && expected.currency],
  ['expected_amount', ({ expected }) => expected && expected.toString()],
  ['order_number', ({ orderNumber }) => orderNumber],
  ['transaction_uuid', ({ transactionId }) => transactionId],
  ['dispute_id', ({ disputeId }) => disputeId],
  ['created_at', ({ createdAt }) => toRfc3339(createdAt)],
  ['available_at', ({ availableAt }) => rfc3339OrNull(availableAt)],
]

export function renderCsvReport({ reconciliationId, pages }: EntriesReport): StreamedFile {
  return new StreamedFile(`reconciliation-${reconciliationId}.csv`, csvLines(pages))
}

async function* csvLines(pages: EntriesReport['pages']): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name))
  for await (const page of pages) {
    yield page.map((entry) => csvLine(COLUMNS.map(([, value]) => value(entry) ?? ''))).join('')
  }
}

function amountText(currency: string, minor: bigint): string {
  return Money.ofMinor(currency, minor).toString()
}
