import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import type { Operation, OperationKind } from '../model/operation.ts'

const newOperations = rowsAs<Operation>('input', {
  id: ['text', () => newId('cop')],
  authorization_uuid: ['text', (operation) => operation.authorizationUuid],
  card_id: ['text', (operation) => operation.cardId],
  kind: ['text', (operation) => operation.kind],
  reference_id: ['text', (operation) => operation.firstResponse?.referenceId ?? null],
  amount_minor: ['numeric', (operation) => operation.amountMinor.toString()],
  forced_minor: ['numeric', (operation) => operation.forcedMinor.toString()],
  created_at: ['timestamptz', (operation) => toRfc3339(operation.at)],
  response: ['json', (operation) => operation.firstResponse?.response ?? null],
})

export async function insertOperations(tx: Tx, operations: readonly Operation[]): Promise<void> {
  if (operations.length === 0) return
  await tx.execute(sql`
    insert into card_operations (business_id, id, authorization_uuid, card_id, kind, reference_id, amount_minor,
                                 forced_minor, created_at, response)
    select ${tx.businessId}::text, input.*
      from ${newOperations(operations)}`)
}

export async function findFirstResponse(
  tx: Tx,
  authorizationUuid: string,
  kind: OperationKind,
  referenceId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ response: string }>(sql`
    select response from card_operations
     where business_id = ${tx.businessId} and authorization_uuid = ${authorizationUuid} and kind = ${kind}
       and reference_id = ${referenceId}`)
  return row?.response ?? null
}
