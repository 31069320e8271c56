import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { once } from '#platform/idempotency/idempotency'
import type { CustomersContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { CustomerNote } from '../model/customer-note.ts'
import { requireCustomer } from '../profiles/require-customer.ts'
import { findCustomers, lockCustomer } from '../storage/customer.repository.ts'
import { deleteNote, insertNote, listNotes, NOTE_ID } from '../storage/note.repository.ts'

/** - `actorName`: The name that the user or the API key has now. */
export interface NamedNote extends CustomerNote {
  readonly actorName: string | null
}

export async function addNote(
  ctx: CustomersContext,
  caller: Caller,
  customerUuid: string,
  { text }: { readonly text: string },
): Promise<NamedNote> {
  const names = await ctx.actorNames(caller.businessId, [caller.actor.id])
  return once(ctx.db, caller, async (tx) => {
    // An erasure, which deletes the notes, locks the customer, too.
    requireCustomer(await lockCustomer(tx, customerUuid))
    const actorId = caller.actor.id
    const note = { id: newId(NOTE_ID), customerUuid, text, actorId, createdAt: tx.now }
    await insertNote(tx, note)
    return { ...note, actorName: names.get(actorId) ?? null }
  })
}

export async function notesOfPage(
  ctx: CustomersContext,
  { businessId }: Caller,
  customerUuid: string,
  page: PageRequest,
): Promise<NamedNote[]> {
  const notes = await ctx.db.transact(businessId, async (tx) => {
    if (!(await findCustomers(tx, [customerUuid])).has(customerUuid)) throw errors.customer_not_found()
    return listNotes(tx, customerUuid, page)
  })
  return named(ctx, businessId, notes)
}

export async function removeNote(
  ctx: CustomersContext,
  caller: Caller,
  customerUuid: string,
  id: string,
): Promise<NamedNote> {
  return once(ctx.db, caller, async (tx) => {
    const deleted = await deleteNote(tx, customerUuid, id)
    if (deleted === undefined) throw errors.note_not_found()
    return { ...deleted, actorName: null }
  })
}

async function named(
  { actorNames }: CustomersContext,
  businessId: string,
  notes: readonly CustomerNote[],
): Promise<NamedNote[]> {
  const names = await actorNames(businessId, [...new Set(notes.map(({ actorId }) => actorId))])
  return notes.map((note) => ({ ...note, actorName: names.get(note.actorId) ?? null }))
}
