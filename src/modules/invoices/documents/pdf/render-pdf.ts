import { drawingThread } from '#platform/documents/drawing-thread'
import type { Invoice } from '../../model/invoice.ts'
import { renderCii } from '../xml/render-cii.ts'
import { FACTUR_X, FACTUR_X_METADATA } from './factur-x-metadata.ts'
import { invoiceTexts, type PdfOptions } from './invoice-texts.ts'

export async function renderPdf(invoice: Invoice, options: PdfOptions): Promise<Buffer> {
  return drawingThread.draw(invoiceTexts(invoice, options, null))
}

/** Factur-X 1.0 in its profile EN 16931: a PDF/A-3b that carries the CII. The invoice lacks nothing of `missingForEInvoice`. */
export async function renderFacturX(invoice: Invoice, options: PdfOptions): Promise<Buffer> {
  const attachment = {
    name: FACTUR_X.fileName,
    type: 'text/xml',
    description: 'Factur-X invoice',
    content: renderCii(invoice, options.timeZone),
    metadata: FACTUR_X_METADATA,
  }
  return drawingThread.draw(invoiceTexts(invoice, options, attachment))
}
