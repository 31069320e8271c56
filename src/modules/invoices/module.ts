import type { OrdersChangedHandler } from '#modules/payments'
import type { Caller } from '#platform/caller'
import { defineModule } from '#platform/module'
import type { Tx } from '#platform/postgres/database'
import { renderEventData } from './api/render.ts'
import { invoiceReportRoutes } from './api/report.routes.ts'
import { invoiceRoutes } from './api/routes.ts'
import { verifyInvoices } from './audit/verify.ts'
import { overdueJob } from './collect/overdue-job.ts'
import type {
  InvoicesContext,
  IssuedHandler,
  PayerReader,
  PlanHandler,
  SettlementReader,
  WriteOffFinder,
} from './context.ts'
import type { InvoicesDependencies } from './dependencies.ts'
import type { DocumentFormat } from './documents/formats.ts'
import { drawPdf, readDocument } from './documents/read-document.ts'
import { findTransferDetails } from './documents/transfer-details.ts'
import { errors } from './errors.ts'
import { completeWithRates, ratesJob } from './exchange/complete-rates.ts'
import type { OrderToInvoice } from './issue/decide-document.ts'
import type { Invoice } from './model/invoice.ts'
import { findInvoiceIn } from './storage/invoice.repository.ts'
import { invoiceById, invoicesOfPage, invoiceView } from './issue/read-invoices.ts'
import { issueInvoices, prepareInvoices } from './issue/issue-invoices.ts'
import { requirePayable } from './issue/require-payable.ts'
import type { IssuedInvoice } from './model/issued-invoice.ts'
import { leftOfOrderLines } from './notes/left-of-orders.ts'
import { applyOrderChanges } from './notes/apply-order-changes.ts'
import type { InvoicePage } from './storage/invoice-list.repository.ts'
import { findCreditedOrders, findOverdueOpen } from './storage/open-invoice.repository.ts'
import { findWithoutRate } from './storage/missing-rate.repository.ts'
import { findDocumentsOfOrders } from './storage/order-document.repository.ts'
import {
  findNamedInvoices,
  findOpenInvoicesOf,
  findPayableInvoices,
  findSuggestableInvoices,
  numberLengths,
} from './storage/payable.repository.ts'
import { isRateUsed } from './storage/rate-use.repository.ts'
import { INVOICES_PERSONAL_DATA } from './storage/personal-data.ts'
import { searchInvoices } from './storage/search.repository.ts'
import { findNumberGaps } from './storage/sequence.repository.ts'

export { INVOICE_EVENTS } from './api/events.ts'
export { renderDocument, renderInvoicesPage, renderInvoiceView } from './api/render.ts'
export { DocumentQuery, EINVOICE_INCOMPLETE, InvoiceSchema } from './api/schemas.ts'

export const invoicesModule = defineModule({
  name: 'invoices',
  errors: errors.catalogue,
  verify: verifyInvoices,
  personalData: INVOICES_PERSONAL_DATA,
  connect: (deps: InvoicesDependencies) => {
    const ctx = contextOf(deps)
    deps.taxes.onSeriesRead(findNumberGaps)
    deps.taxes.onRateUseAsked(isRateUsed)
    deps.taxes.onExchangeRates(completeWithRates)
    return {
      invoices: useCasesOf(ctx),
      routes: [...invoiceRoutes(ctx), ...invoiceReportRoutes(ctx)],
      jobs: [overdueJob(ctx), ratesJob(ctx)],
      search: { scope: 'billing:read', search: searchInvoices },
    }
  },
})

export type Invoices = ReturnType<typeof useCasesOf>

/**
 * What other modules use.
 * - `handleOrderChanges`: Register with `payments.onOrdersChanged`, after the plans' handler.
 */
export function useCasesOf(ctx: InvoicesContext) {
  const handleOrderChanges: OrdersChangedHandler = (tx, changes, origin) =>
    applyOrderChanges(ctx, tx, changes, origin)
  return {
    handleOrderChanges,
    leftOfOrderLines,
    documentsOfOrders: findDocumentsOfOrders,
    findNamedInvoices,
    findOpenInvoicesOf,
    findPayableInvoices,
    requirePayable,
    findSuggestableInvoices,
    transferDetails: findTransferDetails,
    numberLengths,
    overdueInvoices: findOverdueOpen,
    documentsWithoutRate: findWithoutRate,
    creditedOrders: findCreditedOrders,
    findDocument: findInvoiceIn,
    drawPdf: (tenant: Parameters<typeof drawPdf>[1], invoice: Invoice) => drawPdf(ctx, tenant, invoice),
    view: (tx: Tx, id: string) => invoiceView(ctx, tx, id),
    onIssued: (handler: IssuedHandler) => void ctx.issuedHandlers.push(handler),
    byId: (caller: Caller, id: string) => invoiceById(ctx, caller, id),
    ofPage: (caller: Caller, filter: string, request: InvoicePage) =>
      invoicesOfPage(ctx, caller, filter, request),
    document: (caller: Caller, id: string, format: DocumentFormat) => readDocument(ctx, caller, id, format),
    onPlanDocuments: (handler: PlanHandler) => void ctx.planHandlers.push(handler),
    readPayers: (read: PayerReader) => void ctx.payerReaders.push(read),
    readSettlements: (read: SettlementReader) => void ctx.settlementReaders.push(read),
    findWriteOffs: (find: WriteOffFinder) => void ctx.writeOffFinders.push(find),
    prepare: (tx: Tx, orders: readonly OrderToInvoice[]) => prepareInvoices(ctx, tx, orders),
    issue: (tx: Tx, documents: readonly IssuedInvoice[]) => issueInvoices(ctx, tx, documents),
  }
}

export function contextOf(deps: InvoicesDependencies): InvoicesContext {
  return {
    ...deps,
    planHandlers: [],
    issuedHandlers: [],
    settlementReaders: [],
    payerReaders: [],
    writeOffFinders: [],
    present: { event: renderEventData },
  }
}
