export type { PlanCredit, PlanHandler } from './context.ts'
export type { OrderToInvoice } from './issue/decide-document.ts'
export type { IssuedInvoice } from './model/issued-invoice.ts'
export { INVOICE_EVENTS, type Invoices, invoicesModule } from './module.ts'
