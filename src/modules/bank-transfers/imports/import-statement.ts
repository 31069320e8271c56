import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { editMetadata, type MetadataEdit } from '#platform/http/validation/metadata'
import { claimIdempotencyKey, keepReply, refuseUsedKey } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { BankTransfersContext } from '../context.ts'
import type { BankStatement, StatementFormat } from '../model/bank-entry.ts'
import { parseCamt053 } from '../statements/parse-camt053.ts'
import { parseStatementCsv } from '../statements/parse-statement-csv.ts'
import {
  findStatementIdByReference,
  insertStatement,
  nameStatement,
} from '../storage/statement.repository.ts'
import { importCredits } from './import-credits.ts'
import { importReturns } from './import-returns.ts'

const BATCH = 500

interface StatementRequest {
  readonly format: StatementFormat
  readonly content: string
  readonly reference_id?: string
  readonly metadata?: MetadataEdit
}

/**
 * Stores the entries that are new and books what they pay, a batch a transaction. Whoever posts a statement again, after a crash in
 * between too, adds what is missing; so the key is claimed at the end.
 */
export async function importStatement(
  ctx: BankTransfersContext,
  caller: Caller,
  request: StatementRequest,
): Promise<BankStatement> {
  const { businessId } = caller
  const { format, content, reference_id: referenceId = null } = request
  await refuseUsedKey(ctx.db, caller)
  const metadata = editMetadata(null, request.metadata, 'bank_statement.metadata')
  const entries = format === 'camt053' ? await parseCamt053(content) : parseStatementCsv(content)
  const { credit: credits = [], return: returns = [] } = Object.groupBy(entries, ({ kind }) => kind)
  const id = newId('bst')
  await ctx.db.transact(businessId, async (tx) => {
    await refuseTakenReference(tx, referenceId)
    await insertStatement(tx, { id, format, entries: credits.length })
  })
  for (const batch of batchesOf(credits)) {
    await ctx.db.transact(businessId, (tx) => importCredits(ctx, tx, id, batch))
  }
  for (const batch of batchesOf(returns)) {
    await ctx.db.transact(businessId, (tx) => importReturns(ctx, tx, id, batch))
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

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH)
}
