import sql from 'sql-template-tag'
import type { Evidence } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { NewEvidence, StagedEvidence } from '../model/evidence.ts'

/** A text, or a file with its name and type. */
interface StoredMember {
  readonly name: string
  readonly text: string | null
  readonly file_name: string | null
  readonly content_type: string | null
}

type StagedMember = StoredMember & { readonly dispute_id: string; readonly bytes: number | null }

export async function evidenceOf(
  tx: Tx,
  disputeIds: readonly string[],
): Promise<Map<string, StagedEvidence[]>> {
  if (disputeIds.length === 0) return new Map()
  const rows = await tx.query<StagedMember>(sql`
    select dispute_id, name, text, file_name, content_type, octet_length(content) as bytes
      from dispute_evidence
     where business_id = ${tx.businessId} and ${isOneOf(sql`dispute_id`, disputeIds)}
     order by dispute_id, name`)
  const grouped = Map.groupBy(rows, (row) => row.dispute_id)
  return new Map([...grouped].map(([id, members]) => [id, members.map(toStaged)]))
}

function toStaged({
  name,
  text,
  file_name: fileName,
  content_type: type,
  bytes,
}: StagedMember): StagedEvidence {
  if (text !== null) return { name, kind: 'text', text }
  return { name, kind: 'file', fileName: fileName ?? '', contentType: type ?? '', bytes: bytes ?? 0 }
}

export async function evidenceToSubmit(tx: Tx, disputeId: string): Promise<Evidence> {
  const rows = await tx.query<StoredMember & { readonly content: Buffer | null }>(sql`
    select name, text, file_name, content_type, content from dispute_evidence
     where business_id = ${tx.businessId} and dispute_id = ${disputeId} order by name`)
  return {
    texts: Object.fromEntries(rows.flatMap(({ name, text }) => (text === null ? [] : [[name, text]]))),
    files: Object.fromEntries(
      rows.flatMap(({ name, file_name: fileName, content_type: contentType, content }) =>
        content === null || fileName === null || contentType === null
          ? []
          : [[name, { name: fileName, contentType, content }]],
      ),
    ),
  }
}

const newEvidence = rowsAs<NewEvidence>('n', {
  name: ['text', (member) => member.name],
  text: ['text', (member) => (member.kind === 'text' ? member.text : null)],
  file_name: ['text', (member) => (member.kind === 'file' ? member.fileName : null)],
  content_type: ['text', (member) => (member.kind === 'file' ? member.contentType : null)],
  content: ['bytea', (member) => (member.kind === 'file' ? member.content : null)],
})

export async function saveEvidence(
  tx: Tx,
  disputeId: string,
  members: readonly NewEvidence[],
): Promise<void> {
  if (members.length === 0) return
  await tx.execute(sql`
    insert into dispute_evidence (business_id, dispute_id, name, text, file_name, content_type, content)
    select ${tx.businessId}, ${disputeId}, n.name, n.text, n.file_name, n.content_type, n.content
      from ${newEvidence(members)}
    on conflict (business_id, dispute_id, name) do update
       set text = excluded.text, file_name = excluded.file_name, content_type = excluded.content_type,
           content = excluded.content`)
}

export async function removeEvidence(tx: Tx, disputeId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await tx.execute(sql`
    delete from dispute_evidence
     where business_id = ${tx.businessId} and dispute_id = ${disputeId} and ${isOneOf(sql`name`, names)}`)
}
