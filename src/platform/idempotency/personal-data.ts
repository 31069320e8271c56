import sql from 'sql-template-tag'
import { namesCustomer, namesObject } from '#platform/personal-data/names-customer'
import type { Batch, PersonalData, Subject } from '#platform/personal-data/personal-data'
import { documentWithoutPerson } from '#platform/personal-data/rewrite'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'

const SCANNED = 1_000

const replies = rowsAs<{ readonly id: string; readonly body: string }>('input', {
  id: ['text', ({ id }) => id],
  body: ['text', ({ body }) => body],
})

/** A key stays, so that its request is not done again. Its stored reply says no more than ids, amounts and states. */
export const IDEMPOTENCY_PERSONAL_DATA: PersonalData = {
  sources: [
    {
      table: 'idempotency_keys',
      read: async () => ({ rows: [], next: null }),
      erase: eraseReplies,
    },
  ],
}

async function eraseReplies(tx: Tx, subject: Subject, after: string): Promise<Batch> {
  const reply = sql`concat_ws(' ', p.app_id, p.body::text)`
  const scanned = await tx.query<{ id: string; body: string | null }>(sql`
    with named as materialized (${subject.objects}),
         page as materialized (
           select id, app_id, body from idempotency_keys
            where business_id = ${tx.businessId} and id > ${after} order by id limit ${SCANNED})
    select p.id, case when ${namesCustomer(reply, subject)} or ${namesObject(reply)} then p.body end as body
      from page p order by p.id`)
  const found = scanned.flatMap(({ id, body }) =>
    body === null ? [] : [{ id, body: documentWithoutPerson(body, subject) }],
  )
  if (found.length > 0) {
    await tx.execute(sql`
      update idempotency_keys k set body = input.body::json from ${replies(found)}
       where k.business_id = ${tx.businessId} and k.id = input.id`)
  }
  return { count: found.length, next: scanned.length < SCANNED ? null : (scanned.at(-1)?.id ?? null) }
}
