import PDFDocument from 'pdfkit'
import { onOneLine } from '#kernel/one-line'
import { DocumentLayout } from './document-layout.ts'
import type { Attachment, DocumentTexts } from './document-texts.ts'
import type { Pdf } from './page.ts'
import { pdfDate } from './pdf-date.ts'

export async function drawDocument(texts: DocumentTexts): Promise<Buffer> {
  const { attachment, language } = texts
  const info = {
    Title: onOneLine(`${texts.title} ${texts.referenceNumber}`),
    Author: onOneLine(texts.businessName),
  }
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: language,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    ...(attachment !== null && { subset: 'PDF/A-3b' }),
    info: {
      ...(attachment === null ? info : plainForXml(info)),
      Creator: 'Quittance',
      CreationDate: pdfDate(texts.createdAt),
    },
  })
  if (attachment !== null) attach(pdf, attachment)
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  await new DocumentLayout(pdf, texts).draw()
  pdf.end()
  await ended
  return Buffer.concat(parts)
}

function attach(pdf: Pdf, { name, type, description, content, metadata }: Attachment): void {
  const { CreationDate: modifiedDate } = pdf.info
  const options = {
    name,
    type,
    description,
    relationship: 'Alternative' as const,
    ...(modifiedDate && { creationDate: modifiedDate, modifiedDate }),
  }
  pdf.file(Buffer.from(content), options)
  pdf.appendXML(metadata)
}

/** pdfkit 0.20.2 writes the title and the author into the XMP packet as they are. */
function plainForXml<T extends Readonly<Record<string, string>>>(info: T): T {
  const entries = Object.entries(info).map(([key, text]) => [
    key,
    text.replaceAll('&', '\uff06').replaceAll('<', '\u2039'),
  ])
  return Object.fromEntries(entries) as T
}
