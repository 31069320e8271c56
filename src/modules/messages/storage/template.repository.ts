import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { table } from '#platform/postgres/table'
import type { MessageKind } from '../model/kinds.ts'
import type { MessageTemplate } from '../model/template.ts'

const TEMPLATES = table<MessageTemplate>('message_templates', {
  kind: 'text',
  language: 'text',
  subject: 'text',
  intro: 'text',
  outro: 'text',
})

export async function findTemplate(
  tx: Tx,
  kind: MessageKind,
  language: string,
): Promise<MessageTemplate | undefined> {
  const [row] = await tx.query(sql`
    select ${TEMPLATES.columns} from message_templates
     where business_id = ${tx.businessId} and kind = ${kind} and language = ${language}`)
  return row && TEMPLATES.read(row)
}

/** At most 12 kinds times the languages of messages. */
export async function findTemplates(tx: Tx): Promise<MessageTemplate[]> {
  const rows = await tx.query(
    sql`select ${TEMPLATES.columns} from message_templates where business_id = ${tx.businessId}`,
  )
  return rows.map(TEMPLATES.read)
}

export async function saveTemplate(tx: Tx, template: MessageTemplate): Promise<void> {
  await tx.execute(sql`
    insert into message_templates ${TEMPLATES.values(tx.businessId, [template], { updated_at: toRfc3339(tx.now) })}
    on conflict (business_id, kind, language) do update
       set subject = excluded.subject, intro = excluded.intro, outro = excluded.outro, updated_at = excluded.updated_at`)
}

export async function deleteTemplate(
  tx: Tx,
  kind: MessageKind,
  language: string,
): Promise<MessageTemplate | undefined> {
  const [row] = await tx.query(sql`
    delete from message_templates
     where business_id = ${tx.businessId} and kind = ${kind} and language = ${language}
    returning ${TEMPLATES.columns}`)
  return row && TEMPLATES.read(row)
}
