import { defineRoute, type Route } from '#platform/http/routes/route'
import { filteredListQuery, readPage } from '#platform/http/validation/list'
import { IdParams } from '#platform/http/validation/schemas'
import { ignoreEntry, matchEntry, unmatchEntry } from '../entries/change-entry.ts'
import { EntriesQuerySchema } from '../entries/entries-query.ts'
import { entriesOfPage, entryById, statementById, statementsOfPage } from '../entries/read-entries.ts'
import type { BankTransfersContext } from '../context.ts'
import { importStatement } from '../imports/import-statement.ts'
import { STATEMENT_FIELDS } from '../storage/statement.repository.ts'
import { renderEntriesPage, renderEntryData, renderStatementData, renderStatementsPage } from './render.ts'
import {
  BankEntriesPage,
  BankEntryData,
  BankStatementData,
  BankStatementsPage,
  CreateStatementBody,
  STATEMENT_EXISTS,
  STATEMENT_REFUSED,
} from './schemas.ts'
import { MatchEntryBody } from '../model/by-hand-requests.ts'

const BASE = '/svc/billing/api/v1/openapi'
const TAG = 'Bank transfers'
/** 30,000,000 characters (`MAX_STATEMENT_LENGTH`), and room for escapes and longer characters. */
export const MAX_STATEMENT_BYTES = 32 * 1024 * 1024

export function bankTransferRoutes(ctx: BankTransfersContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/bank_statements`,
      scope: 'billing:write',
      summary: 'Import a bank statement',
      description:
        'Books the transfers that name open invoices. Entries that an earlier statement had are left out, so statements may overlap and be sent again. `data.line` of a refusal names the line.',
      tag: TAG,
      maxBodyBytes: MAX_STATEMENT_BYTES,
      body: CreateStatementBody,
      example: {
        bank_statement: {
          format: 'csv',
          content:
            'booking_date,amount,currency,debtor_name,remittance\n2027-06-15,119.00,EUR,Ada Lovelace,INV-2027-000042\n',
        },
      },
      data: BankStatementData,
      failures: { 409: STATEMENT_EXISTS, 422: STATEMENT_REFUSED },
      handle: ({ caller, body }) => importStatement(ctx, caller, body.bank_statement),
      render: renderStatementData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/bank_statements`,
      scope: 'billing:read',
      summary: 'List bank statements',
      tag: TAG,
      query: filteredListQuery(STATEMENT_FIELDS),
      data: BankStatementsPage,
      handle: async ({ caller, query }) => {
        const request = readPage('bank_statements', query)
        return renderStatementsPage(request, await statementsOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/bank_statements/:id`,
      scope: 'billing:read',
      summary: 'Get a bank statement',
      tag: TAG,
      params: IdParams,
      data: BankStatementData,
      handle: ({ caller, params }) => statementById(ctx, caller, params.id),
      render: renderStatementData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/bank_entries`,
      scope: 'billing:read',
      summary: 'List bank entries',
      tag: TAG,
      query: EntriesQuerySchema,
      data: BankEntriesPage,
      handle: async ({ caller, query }) => {
        const request = readPage('bank_entries', query)
        return renderEntriesPage(request, await entriesOfPage(ctx, caller, query, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/bank_entries/:id`,
      scope: 'billing:read',
      summary: 'Get a bank entry',
      tag: TAG,
      params: IdParams,
      data: BankEntryData,
      handle: ({ caller, params }) => entryById(ctx, caller, params.id),
      render: renderEntryData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/bank_entries/:id/match`,
      scope: 'billing:write',
      summary: 'Match a bank entry with invoices',
      description: 'Each invoice is paid by the amount, be it less or more than is due.',
      tag: TAG,
      params: IdParams,
      body: MatchEntryBody,
      example: { invoices: [{ id: 'inv_01j9z3k6v8q4t2n7b5m1c0x4hr', amount: 119 }] },
      data: BankEntryData,
      handle: ({ caller, params, body }) => matchEntry(ctx, caller, params.id, body),
      render: renderEntryData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/bank_entries/:id/unmatch`,
      scope: 'billing:write',
      summary: 'Undo the match of a bank entry',
      description:
        'Its transactions are voided, and its invoices are open again. An ignored entry is unmatched again.',
      tag: TAG,
      params: IdParams,
      data: BankEntryData,
      handle: ({ caller, params }) => unmatchEntry(ctx, caller, params.id),
      render: renderEntryData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/bank_entries/:id/ignore`,
      scope: 'billing:write',
      summary: 'Ignore a bank entry',
      tag: TAG,
      params: IdParams,
      data: BankEntryData,
      handle: ({ caller, params }) => ignoreEntry(ctx, caller, params.id),
      render: renderEntryData,
    }),
  ]
}
