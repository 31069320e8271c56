import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import type { DraftInvoice } from '../model/draft-invoice.ts'
import { lockDraft } from '../storage/draft.repository.ts'
import { findInvoiceIn } from '../storage/invoice.repository.ts'

/** Locks a draft, so that two changes of it run one after the other. The id of an issued document is refused. */
export async function lockDraftOf(tx: Tx, id: string): Promise<DraftInvoice> {
  const draft = await lockDraft(tx, id)
  if (draft !== undefined) return draft
  throw (await findInvoiceIn(tx, id)) === undefined ? errors.invoice_not_found() : errors.invoice_issued()
}
