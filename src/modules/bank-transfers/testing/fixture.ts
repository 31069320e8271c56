import type { Caller } from '#platform/caller'
import { rendered } from '#platform/testing/requests'
import {
  renderEntriesPage,
  renderEntryData,
  renderStatementData,
  renderStatementsPage,
} from '../api/render.ts'
import { ignoreEntry, matchEntry, unmatchEntry } from '../by-hand/change-entry.ts'
import { entriesOfPage, entryById, statementById, statementsOfPage } from '../by-hand/read-entries.ts'
import type { BankTransfersContext } from '../context.ts'
import type { BankTransfersDependencies } from '../dependencies.ts'
import { importStatement } from '../imports/import-statement.ts'
import { contextOf } from '../module.ts'
import { ambiguousReturns } from '../returns/ambiguous-returns.ts'

export { RULES as BANK_TRANSFER_RULES, verifyBankTransfers } from '../audit/verify.ts'

const PAGE = { offset: 0, limit: 100, after: undefined }

export function bankTransfersOf(deps: BankTransfersDependencies) {
  const ctx = contextOf(deps)
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
    entries: async (caller: Caller, filter?: string, suggestions = false) => {
      const request = { list: 'bank_entries', ...PAGE }
      return renderEntriesPage(request, await entriesOfPage(ctx, caller, { filter, suggestions }, request))
        .bank_entries
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
