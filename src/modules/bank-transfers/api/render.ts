import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import type { BankEntryView, BankStatement } from '../model/bank-entry.ts'
import type { Suggestion } from '../model/suggestion.ts'
import type {
  BankEntriesPage,
  BankEntryData,
  BankEntrySchema,
  BankStatementData,
  BankStatementSchema,
  BankStatementsPage,
} from './schemas.ts'

export function renderStatementData(statement: BankStatement): Static<typeof BankStatementData> {
  return { bank_statement: renderStatement(statement) }
}

export function renderStatementsPage(
  request: PageRequest,
  found: readonly BankStatement[],
): Static<typeof BankStatementsPage> {
  const { rows, page } = renderPage(request, found, byCreation, renderStatement)
  return { bank_statements: rows, page }
}

export function renderEntryData(view: BankEntryView): Static<typeof BankEntryData> {
  return { bank_entry: renderEntry(view) }
}

export function renderEntriesPage(
  request: PageRequest,
  found: readonly BankEntryView[],
): Static<typeof BankEntriesPage> {
  const keyOf = ({ entry: { createdAt, id } }: BankEntryView) => ({ at: createdAt, id })
  const { rows, page } = renderPage(request, found, keyOf, renderEntry)
  return { bank_entries: rows, page }
}

function renderStatement(statement: BankStatement): Static<typeof BankStatementSchema> {
  return {
    id: statement.id,
    format: statement.format,
    entries: statement.entries,
    new: statement.added,
    matched: statement.matched,
    unmatched: statement.unmatched,
    counted_later: statement.countedLater,
    reference_id: statement.referenceId,
    ...(statement.metadata !== null && { metadata: statement.metadata }),
    created_at: toRfc3339(statement.createdAt),
  }
}

function renderEntry({ entry, matches, suggestions }: BankEntryView): Static<typeof BankEntrySchema> {
  return {
    id: entry.id,
    state: entry.state,
    booking_date: entry.bookingDate,
    amount: entry.amount,
    currency: entry.amount.currency,
    debtor_name: entry.debtorName,
    debtor_iban: entry.debtorIban,
    bank_reference: entry.bankReference,
    remittance: entry.remittance,
    invoices: [
      ...matches.map(({ invoice, amount }) => ({ ...invoice, amount })),
      ...entry.suggestions.map((invoice) => ({ ...invoice, amount: entry.amount })),
    ],
    ...(suggestions !== undefined && { suggestions: suggestions.map(renderSuggestion) }),
    counted_on: entry.countedOn,
    returned_on: entry.returnedOn,
    bank_statement_id: entry.statementId,
    created_at: toRfc3339(entry.createdAt),
    updated_at: toRfc3339(entry.updatedAt),
  }
}

function renderSuggestion({ customer: { customerUuid, customerName }, shares, reasons }: Suggestion) {
  return {
    invoices: shares.map(({ invoice, amount }) => ({
      id: invoice.id,
      number: invoice.number,
      order_number: invoice.orderId,
      amount_due: invoice.amountDue,
      amount,
    })),
    customer_uuid: customerUuid,
    customer_name: customerName,
    reasons: [...reasons],
  }
}
