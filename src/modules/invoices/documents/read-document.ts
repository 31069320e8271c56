import type { Caller } from '#platform/caller'
import type { InvoicesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { Invoice } from '../model/invoice.ts'
import { findInvoice } from '../storage/invoice.repository.ts'
import type { PdfOptions } from './pdf/invoice-texts.ts'
import { renderFacturX, renderPdf } from './pdf/render-pdf.ts'
import { missingForEInvoice } from './xml/missing-for-e-invoice.ts'
import { renderCii } from './xml/render-cii.ts'
import { renderUbl } from './xml/render-ubl.ts'

export const DOCUMENT_FORMATS = ['pdf', 'ubl', 'cii', 'facturx'] as const

export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number]

export interface InvoiceDocument {
  readonly number: string
  readonly format: DocumentFormat
  readonly content: string | Uint8Array
}

export async function readDocument(
  ctx: InvoicesContext,
  caller: Caller,
  id: string,
  format: DocumentFormat,
): Promise<InvoiceDocument> {
  const invoice = await findInvoice(ctx.db, caller.businessId, id)
  if (invoice === undefined) throw errors.invoice_not_found()
  if (format !== 'pdf') refuseIncomplete(invoice)
  return { number: invoice.number, format, content: await contentOf(ctx, caller, invoice, format) }
}

function refuseIncomplete(invoice: Invoice): void {
  const missing = missingForEInvoice(invoice)
  if (missing.length > 0) throw errors.einvoice_incomplete({ data: { missing } })
}

async function contentOf(
  ctx: InvoicesContext,
  caller: Caller,
  invoice: Invoice,
  format: DocumentFormat,
): Promise<string | Uint8Array> {
  const { timeZone } = await ctx.businesses.profile(caller.businessId)
  switch (format) {
    case 'ubl':
      return renderUbl(invoice, timeZone)
    case 'cii':
      return renderCii(invoice, timeZone)
    case 'pdf':
      return renderPdf(invoice, await pdfOptions(ctx, caller, invoice, timeZone))
    case 'facturx':
      return renderFacturX(invoice, await pdfOptions(ctx, caller, invoice, timeZone))
  }
}

async function pdfOptions(
  ctx: InvoicesContext,
  { businessId, environment }: Caller,
  { orderNumber, buyer, type }: Invoice,
  timeZone: string,
): Promise<PdfOptions> {
  const logo = await ctx.businesses.logo(businessId)
  const paymentLink =
    type === 'credit_note'
      ? null
      : await ctx.db.transact(businessId, async (tx) => {
          const found = (await ctx.payments.findOrders(tx, [orderNumber])).get(orderNumber)
          if (found === undefined) return null
          return (await ctx.payments.paymentLink(businessId, found.order, tx.now)) ?? null
        })
  return {
    language: buyer.language ?? 'en',
    timeZone,
    isTest: environment === 'test',
    logo: logo ?? null,
    paymentLink,
  }
}
