import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { InvoicesContext } from '../context.ts'
import { issueAndCharge } from '../issue/issue-and-charge.ts'
import type { DraftInvoice } from '../model/draft-invoice.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { deleteDraft } from '../storage/draft.repository.ts'
import { lockDraftOf } from './lock-draft.ts'

/** The invoice keeps the id of the draft. Its date, rates and number are those of now. */
export function issueDraft(ctx: InvoicesContext, caller: Caller, id: string): Promise<IssuedInvoice> {
  return issueAndCharge(ctx, caller, async (tx) => {
    const { request } = await lockDraftOf(tx, id)
    await deleteDraft(tx, id)
    return { request, id }
  })
}

export function removeDraft(ctx: InvoicesContext, caller: Caller, id: string): Promise<DraftInvoice> {
  return once(ctx.db, caller, async (tx) => {
    const draft = await lockDraftOf(tx, id)
    await deleteDraft(tx, id)
    return draft
  })
}
