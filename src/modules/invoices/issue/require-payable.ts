import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { isDraftId } from '../storage/draft.repository.ts'
import { findPayableInvoices, type PayableInvoice } from '../storage/payable.repository.ts'

/** - `param`: The member of the body that holds the id, if the path does not. */
export async function requirePayable(tx: Tx, id: string, param?: string): Promise<PayableInvoice> {
  const [invoice] = await findPayableInvoices(tx, [id])
  if (invoice !== undefined) return invoice
  const error = (await isDraftId(tx, id)) ? errors.invoice_not_issued : errors.invoice_not_found
  throw error(param === undefined ? {} : { param })
}
