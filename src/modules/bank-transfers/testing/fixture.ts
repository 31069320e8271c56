import type { Payments } from '#modules/payments'
import type { Caller } from '#platform/caller'
import { rendered } from '#platform/testing/requests'
import {
  renderMovedOverpayment,
  renderRecordedPayment,
  renderRecordedRepayment,
  renderUndonePayment,
  renderWrittenOff,
} from '../api/by-hand.render.ts'
import {
  renderEntriesPage,
  renderEntryData,
  renderStatementData,
  renderStatementsPage,
} from '../api/render.ts'
import { ignoreEntry, matchEntry, unmatchEntry } from '../entries/change-entry.ts'
import { entriesOfPage, entryById, statementById, statementsOfPage } from '../entries/read-entries.ts'
import type { BankTransfersContext, MovedCreditHandler } from '../context.ts'
import type { BankTransfersDependencies } from '../dependencies.ts'
import { importStatement } from '../imports/import-statement.ts'
import { contextOf } from '../module.ts'
import { moveOverpayment } from '../by-hand/move-overpayment.ts'
import { recordPayment } from '../by-hand/record-payment.ts'
import { recordRepayment } from '../by-hand/record-repayment.ts'
import { reverseWriteOffs } from '../by-hand/reverse-write-offs.ts'
import { undoPayment } from '../by-hand/undo-payment.ts'
import { writeOff } from '../by-hand/write-off.ts'
import { findDebtorNames } from '../storage/match.repository.ts'
import { findOrdersWrittenOff, findWriteOffs } from '../storage/write-off.repository.ts'
import { ambiguousReturns } from '../returns/ambiguous-returns.ts'

export { RULES as BANK_TRANSFER_RULES, verifyBankTransfers } from '../audit/verify.ts'

const PAGE = { offset: 0, limit: 100, after: undefined }

export function bankTransfersOf(
  deps: BankTransfersDependencies & { readonly payments: Pick<Payments, 'onOrdersChanged'> },
  ...handlers: MovedCreditHandler[]
) {
  const ctx = { ...contextOf(deps), movedCreditHandlers: handlers }
  deps.invoices.readSettlements(findWriteOffs)
  deps.invoices.findWriteOffs(findOrdersWrittenOff)
  deps.invoices.readPayers(findDebtorNames)
  deps.payments.onOrdersChanged(reverseWriteOffs)
  const bind =
    <Args extends unknown[], Result>(useCase: (ctx: BankTransfersContext, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(ctx, ...args)
  return {
    import: rendered(bind(importStatement), renderStatementData),
    statement: rendered(bind(statementById), renderStatementData),
    entry: rendered(bind(entryById), renderEntryData),
    match: rendered(bind(matchEntry), renderEntryData),
    unmatch: rendered(bind(unmatchEntry), renderEntryData),
    ignore: rendered(bind(ignoreEntry), renderEntryData),
    pay: rendered(bind(recordPayment), renderRecordedPayment),
    undo: rendered(bind(undoPayment), renderUndonePayment),
    repay: rendered(bind(recordRepayment), renderRecordedRepayment),
    moveOverpayment: rendered(bind(moveOverpayment), renderMovedOverpayment),
    writeOff: rendered(bind(writeOff), renderWrittenOff),
    entries: async (caller: Caller, filter?: string, suggestions = false) => {
      const request = { list: 'bank_entries', ...PAGE }
      const query = { ...(filter !== undefined && { filter }), suggestions }
      return renderEntriesPage(request, await entriesOfPage(ctx, caller, query, request)).bank_entries
    },
    ambiguousReturns: ({ businessId }: Caller) =>
      deps.db.transact(businessId, (tx) => ambiguousReturns(tx, tx.now.subtract({ hours: 24 }), 10)),
    statements: async (caller: Caller) => {
      const request = { list: 'bank_statements', ...PAGE }
      return renderStatementsPage(request, await statementsOfPage(ctx, caller, undefined, request))
        .bank_statements
    },
  }
}
