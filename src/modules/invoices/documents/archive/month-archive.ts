import Type, { type Static } from 'typebox'
import { localDateOf } from '#kernel/time-zone'
import { legalEntity, taxErrors } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { type DateRange, readMonth } from '#platform/http/validation/date-range'
import type { PageKey } from '#platform/http/validation/list'
import { Month, OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import type { InvoicesContext } from '../../context.ts'
import type { IssuedInvoice } from '../../model/issued-invoice.ts'
import { listIssued } from '../../storage/invoice.repository.ts'
import { contentOf, fileName, isDrawn } from '../content.ts'
import { DOCUMENT_FORMATS, type DocumentFormat } from '../formats.ts'
import type { PdfOptions } from '../pdf/invoice-texts.ts'
import { pdfOptions } from '../pdf-options.ts'
import { missingForEInvoice } from '../xml/missing-for-e-invoice.ts'
import { INDEX_HEADER, indexLine } from './index-csv.ts'
import { type ZipEntry, zipOf } from './zip.ts'

const PAGE = 50

export const ArchiveQuerySchema = strictObject({
  month: Month({ description: "By the dates of issue, which are in the business's zone." }),
  format: Type.Optional(
    OneOf(DOCUMENT_FORMATS, {
      description:
        'Default `pdf`. `ubl`, `cii`, `peppol` and `xrechnung` add the XML to each PDF, `facturx` makes the PDFs carry it. A document that lacks something for it is a PDF only.',
    }),
  ),
  legal_entity_id: Type.Optional(Text({ max: 64, description: 'Only documents of this seller.' })),
})
export type ArchiveQuery = Static<typeof ArchiveQuerySchema>

export interface MonthArchive {
  readonly month: string
  readonly content: AsyncGenerator<Uint8Array>
}

interface IssuedDocument {
  readonly invoice: IssuedInvoice
  readonly options: PdfOptions
}

/** Returns the documents issued in a month, newest first, and an index of them. Throws a refusal before it makes any. */
export async function exportMonth(
  ctx: InvoicesContext,
  caller: Caller,
  { month, format = 'pdf', legal_entity_id: entityId }: ArchiveQuery,
): Promise<MonthArchive> {
  const { timeZone } = await ctx.businesses.profile(caller.businessId)
  const range = await ctx.db.transact(caller.businessId, async (tx) => {
    if (entityId !== undefined && (await legalEntity(tx, entityId)) === undefined) {
      throw taxErrors.legal_entity_not_found({ param: 'legal_entity_id' })
    }
    return readMonth(month, localDateOf(tx.now, timeZone))
  })
  return { month, content: zipOf(entriesOf(issuedIn(ctx, caller, range, entityId), format)) }
}

async function* issuedIn(
  ctx: InvoicesContext,
  caller: Caller,
  range: DateRange,
  entityId: string | undefined,
): AsyncGenerator<IssuedDocument> {
  for (let after: PageKey | undefined; ;) {
    const page = { list: '', offset: 0, limit: PAGE, after }
    const found = await ctx.db.transact(
      caller.businessId,
      (tx) => listIssued(tx, { range, legalEntityId: entityId }, page),
      {
        isSnapshot: true,
      },
    )
    const invoices = found.slice(0, PAGE)
    const optionsOf = await pdfOptions(ctx, caller, invoices)
    for (const invoice of invoices) yield { invoice, options: optionsOf(invoice) }
    const last = invoices.at(-1)
    if (last === undefined || found.length <= PAGE) return
    after = { at: last.createdAt, id: last.id }
  }
}

async function* entriesOf(
  documents: AsyncIterable<IssuedDocument>,
  format: DocumentFormat,
): AsyncGenerator<ZipEntry> {
  const lines: string[] = []
  const taken = new Set<string>()
  for await (const { invoice, options } of documents) {
    const missing = missingForEInvoice(invoice, format)
    const files: string[] = []
    for (const one of missing.length > 0 ? (['pdf'] as const) : formatsOf(format)) {
      const name = unusedName(invoice, one, taken)
      files.push(name)
      yield { name, content: await contentOf(invoice, one, options) }
    }
    lines.push(indexLine({ invoice, files, missing }))
  }
  yield { name: 'index.csv', content: INDEX_HEADER + lines.toReversed().join('') }
}

function formatsOf(format: DocumentFormat): readonly DocumentFormat[] {
  return isDrawn(format) ? [format] : ['pdf', format]
}

/** Legal entities may have equal numbers, and some file systems ignore case. */
function unusedName({ number, id }: IssuedInvoice, format: DocumentFormat, taken: Set<string>): string {
  const name = fileName(number, format)
  const isTaken = taken.has(name.toLowerCase())
  taken.add(name.toLowerCase())
  return isTaken ? fileName(`${number}-${id}`, format) : name
}
