import type { Caller } from '#platform/caller'
import type { InvoicesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { invoiceById } from '../issue/read-invoices.ts'
import { isDraft } from '../model/draft-invoice.ts'
import type { Invoice } from '../model/invoice.ts'
import { contentOf, fileName, isDrawn } from './content.ts'
import type { DocumentFormat } from './formats.ts'
import { renderPdf } from './pdf/render-pdf.ts'
import { pdfOptions } from './pdf-options.ts'
import { missingForEInvoice } from './xml/missing-for-e-invoice.ts'

export interface InvoiceDocument {
  readonly number: string
  readonly format: DocumentFormat
  readonly content: string | Uint8Array
}

/** The PDF of an issued invoice or credit note, and the name of its file. */
export async function drawPdf(
  ctx: InvoicesContext,
  tenant: Pick<Caller, 'businessId' | 'environment'>,
  invoice: Invoice,
): Promise<{ readonly name: string; readonly content: Uint8Array }> {
  const optionsOf = await pdfOptions(ctx, tenant, [invoice])
  const content = await renderPdf(invoice, optionsOf(invoice))
  return { name: fileName(invoice.number, 'pdf'), content }
}

export async function readDocument(
  ctx: InvoicesContext,
  caller: Caller,
  id: string,
  format: DocumentFormat,
): Promise<InvoiceDocument> {
  const invoice = await invoiceById(ctx, caller, id)
  if (isDraft(invoice)) throw errors.invoice_not_issued()
  const missing = missingForEInvoice(invoice, format)
  if (missing.length > 0) throw errors.einvoice_incomplete({ data: { missing } })
  const optionsOf = await pdfOptions(ctx, caller, isDrawn(format) ? [invoice] : [])
  return { number: invoice.number, format, content: await contentOf(invoice, format, optionsOf(invoice)) }
}
