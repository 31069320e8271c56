import type { Invoice } from '../model/invoice.ts'
import type { DocumentFormat } from './formats.ts'
import type { PdfOptions } from './pdf/invoice-texts.ts'
import { renderFacturX, renderPdf } from './pdf/render-pdf.ts'
import { renderCii } from './xml/render-cii.ts'
import { renderUbl } from './xml/render-ubl.ts'

const SUFFIXES = {
  pdf: '.pdf',
  ubl: '-ubl.xml',
  cii: '-cii.xml',
  facturx: '-facturx.pdf',
  peppol: '-peppol.xml',
  xrechnung: '-xrechnung.xml',
} as const

export function isDrawn(format: DocumentFormat): boolean {
  return SUFFIXES[format].endsWith('.pdf')
}

export function fileName(name: string, format: DocumentFormat): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '') + SUFFIXES[format]
}

/** The invoice lacks nothing of `missingForEInvoice` unless it becomes a plain PDF. */
export async function contentOf(
  invoice: Invoice,
  format: DocumentFormat,
  options: PdfOptions,
): Promise<string | Uint8Array> {
  switch (format) {
    case 'ubl':
    case 'peppol':
    case 'xrechnung':
      return renderUbl(invoice, options.timeZone, format)
    case 'cii':
      return renderCii(invoice, options.timeZone)
    case 'pdf':
      return renderPdf(invoice, options)
    case 'facturx':
      return renderFacturX(invoice, options)
  }
}
