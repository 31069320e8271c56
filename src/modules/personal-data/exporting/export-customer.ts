import { realClock, toRfc3339 } from '#kernel/clock'
import { customerErasure } from '#modules/customers'
import type { Caller } from '#platform/caller'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import type { PersonalSource, Subject } from '#platform/personal-data/personal-data'
import type { PersonalDataDependencies } from '../dependencies.ts'
import { personalTexts } from '../erasing/personal-texts.ts'
import { subjectOf } from '../erasing/subject.ts'

/** One JSON object a line, with the table and the row. @throws 404 for an unknown customer, before anything is sent */
export async function exportCustomer(
  deps: PersonalDataDependencies,
  { businessId }: Caller,
  uuid: string,
): Promise<StreamedFile> {
  const subject = await deps.db.transact(businessId, async (tx) => {
    const customer = await customerErasure.lock(tx, uuid)
    const texts = await personalTexts(tx, customer)
    return subjectOf(deps.data, businessId, { ...customer, texts })
  })
  return new StreamedFile(`${uuid}.jsonl`, linesOf(deps, businessId, subject))
}

async function* linesOf(
  { db, data }: PersonalDataDependencies,
  businessId: string,
  subject: Subject,
): AsyncGenerator<string> {
  const head = { customer_uuid: subject.uuid, exported_at: toRfc3339(realClock.now()) }
  yield `${JSON.stringify({ table: 'export', row: head })}\n`
  for (const source of data.flatMap(({ sources }) => sources)) {
    for (let after: string | null = ''; after !== null;) {
      const { rows, next } = await readBatch(source, after)
      if (rows.length > 0) yield rows.map((row) => `{"table":"${source.table}","row":${row}}\n`).join('')
      after = next
    }
  }

  function readBatch(source: PersonalSource, after: string) {
    return db.transact(businessId, (tx) => source.read(tx, subject, after), { isSnapshot: true })
  }
}
