import { earliestOf } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { INVOICE_OVERDUE } from '../job-names.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'

export function scheduleOverdue(tx: Tx, invoices: readonly Pick<IssuedInvoice, 'overdueAt'>[]): void {
  const first = earliestOf(invoices.map((invoice) => invoice.overdueAt))
  if (first !== null) tx.defer(scheduleJob(tx, INVOICE_OVERDUE, first))
}
