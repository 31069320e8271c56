import { timeOfChange } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import type { TaxAnswers } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import { refuseTakenReference } from '../issue/bill-request.ts'
import type { DraftInvoice } from '../model/draft-invoice.ts'
import type { InvoiceRequest, NewInvoice } from '../model/invoice-requests.ts'
import { deleteDraft, insertDraft } from '../storage/draft.repository.ts'
import { lockDraftOf } from './lock-draft.ts'
import { contentNow } from './preview-invoice.ts'

export function createDraft(
  ctx: InvoicesContext,
  caller: Caller,
  request: InvoiceRequest,
): Promise<DraftInvoice> {
  return withPreviewedTaxes(ctx, caller, async (tx, answers) => {
    const made = await draftOf(ctx, tx, request, answers, { id: newId('inv'), createdAt: tx.now })
    await refuseTakenReference(tx, request.reference_id)
    await saveNew(tx, made)
    return made
  })
}

export function replaceDraft(
  ctx: InvoicesContext,
  caller: Caller,
  id: string,
  invoice: NewInvoice,
): Promise<DraftInvoice> {
  const { draft: _, ...request } = invoice
  return withPreviewedTaxes(ctx, caller, async (tx, answers) => {
    const before = await lockDraftOf(tx, id)
    const after = await draftOf(ctx, tx, request, answers, before)
    await refuseTakenReference(tx, request.reference_id, id)
    // The insert waits for another draft that takes the reference at the same time; an update would fail.
    await deleteDraft(tx, id)
    await saveNew(tx, after)
    return after
  })
}

/** The engine learns that nothing is billed. */
function withPreviewedTaxes(
  ctx: InvoicesContext,
  caller: Caller,
  work: (tx: Tx, answers: TaxAnswers) => Promise<DraftInvoice>,
): Promise<DraftInvoice> {
  return ctx.taxes.withEngine(
    caller.businessId,
    (answers) => once(ctx.db, caller, (tx) => work(tx, answers)),
    true,
  )
}

async function draftOf(
  ctx: InvoicesContext,
  tx: Tx,
  request: InvoiceRequest,
  answers: TaxAnswers,
  before: Pick<DraftInvoice, 'id' | 'createdAt'> & { readonly updatedAt?: DraftInvoice['updatedAt'] },
): Promise<DraftInvoice> {
  const { issueDate: _, dueDate: __, ...content } = await contentNow(ctx, tx, request, answers)
  const { id, createdAt, updatedAt } = before
  return {
    ...content,
    id,
    state: 'draft',
    request,
    overdueAt: null,
    amountDue: Money.zero(content.currency),
    createdAt,
    updatedAt: updatedAt === undefined ? createdAt : timeOfChange({ updatedAt }, tx.now),
  }
}

async function saveNew(tx: Tx, draft: DraftInvoice): Promise<void> {
  if (await insertDraft(tx, draft)) return
  await refuseTakenReference(tx, draft.referenceId ?? undefined)
  throw new Error(`the draft ${draft.id} was not stored`)
}
