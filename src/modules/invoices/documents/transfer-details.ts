import type { Tx } from '#platform/postgres/database'
import type { Fact } from '#platform/documents/document-texts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { findInvoiceIn } from '../storage/invoice.repository.ts'
import { invoiceWords } from './invoice-words.ts'
import { transferFacts } from './pdf/invoice-texts.ts'

/** What a transfer that pays an invoice names. */
export type TransferDetails = Pick<IssuedInvoice, 'seller' | 'paymentReference'>

/** Finds out where a transfer for an invoice goes; null unless it is open and its seller has an account. */
export async function findTransferDetails(tx: Tx, invoiceId: string): Promise<TransferDetails | null> {
  const invoice = await findInvoiceIn(tx, invoiceId)
  if (invoice === undefined || invoice.seller.bank === null) return null
  return invoice.state === 'open' && invoice.amountDue.isPositive() ? invoice : null
}

/** The details for the readers of a language (BCP 47). */
export function transferTexts(
  details: TransferDetails,
  language: string,
): { readonly title: string; readonly facts: readonly Fact[] } {
  const { words } = invoiceWords(language)
  return { title: words.transfer, facts: transferFacts(details, words) }
}
