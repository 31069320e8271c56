import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { editMetadata } from '#platform/http/validation/metadata'
import { claimIdempotencyKey, keepReply, refuseUsedKey } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { BankTransfersContext } from '../context.ts'
import { partsOfRemittances } from '../matching/named-invoices.ts'
import type { BankStatement } from '../model/bank-entry.ts'
import type { StatementEntry } from '../model/statement-entry.ts'
import { readStatement } from '../statements/read-statement.ts'
import {
  findStatementIdByReference,
  insertStatement,
  nameStatement,
} from '../storage/statement.repository.ts'
import { importCredits } from './import-credits.ts'
import { importReturns } from './import-returns.ts'
import type { NewStatement } from './statement-request.ts'

const BATCH = 500

/**
 * Reads the statement once before it stores anything, so that a statement that cannot be read leaves nothing behind.
 * Then stores the new entries and books what they pay, one batch per transaction; a second reading takes less memory
 * than all entries. Posting a statement again, also after a crash, adds what is missing, so the key is claimed at
 * the end.
 */
export async function importStatement(
  ctx: BankTransfersContext,
  caller: Caller,
  request: NewStatement,
): Promise<BankStatement> {
  const { businessId } = caller
  const { format, content, reference_id: referenceId = null } = request
  await refuseUsedKey(ctx.db, caller)
  const metadata = editMetadata(null, request.metadata, 'bank_statement.metadata')
  const counts = { credit: 0, return: 0 }
  for await (const entries of readStatement(format, content))
    for (const { kind } of entries) counts[kind] += 1
  const id = newId('bst')
  await ctx.db.transact(businessId, async (tx) => {
    await refuseTakenReference(tx, referenceId)
    await insertStatement(tx, { id, format, entries: counts.credit })
  })
  for await (const batch of batchesOf('credit', request)) {
    await ctx.db.transact(businessId, (tx) => importCredits(ctx, tx, id, batch))
  }
  if (counts.return > 0) {
    for await (const batch of batchesOf('return', request)) {
      await ctx.db.transact(businessId, (tx) => importReturns(ctx, tx, id, batch))
    }
  }
  return ctx.db.transact(businessId, async (tx) => {
    const keyId = await claimIdempotencyKey(tx, caller)
    await refuseTakenReference(tx, referenceId)
    const statement = await nameStatement(tx, id, { referenceId, metadata })
    await keepReply(tx, keyId, caller, statement)
    return statement
  })
}

async function refuseTakenReference(tx: Tx, referenceId: string | null): Promise<void> {
  const taken = referenceId === null ? undefined : await findStatementIdByReference(tx, referenceId)
  if (taken === undefined) return
  throw platformErrors.reference_id_taken({
    param: 'bank_statement.reference_id',
    data: { bank_statement: { id: taken } },
  })
}

/** The last part of a piece of the statement is carried into the next one. */
async function* batchesOf(
  kind: StatementEntry['kind'],
  { format, content }: NewStatement,
): AsyncGenerator<readonly StatementEntry[]> {
  let carried: readonly StatementEntry[] = []
  for await (const entries of readStatement(format, content)) {
    const parts = [...partsOfRemittances([...carried, ...entries.filter((one) => one.kind === kind)], BATCH)]
    carried = parts.pop() ?? []
    yield* parts
  }
  if (carried.length > 0) yield carried
}
