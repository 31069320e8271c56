import { realClock } from '#kernel/clock'
import { isStorable } from '#platform/http/validation/strings'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Database } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { NOTICE_PURGE, NOTICES } from '../job-names.ts'
import { RETENTION_HOURS } from '../jobs.ts'
import type { Notice, ReadNotices } from '../port/notices.ts'
import { insertNotices } from '../storage/notice.repository.ts'

const MAX_TEXT_LENGTH = 255
const MAX_FACTS = 50
const MAX_FACT_LENGTH = 2_000

interface ReceivingAccount {
  readonly businessId: string
  readonly accountId: string
  readonly readNotices: ReadNotices
}

export async function receiveNotices(
  db: Database,
  { businessId, accountId, readNotices }: ReceivingAccount,
  body: Buffer,
  headers: Parameters<ReadNotices>[0]['headers'],
): Promise<void> {
  const receivedAt = realClock.now()
  const reading = readNotices({ body, headers, receivedAt })
  if (!reading.ok) {
    throw reading.reason === 'invalid_signature' ? errors.notice_signature_invalid() : errors.notice_invalid()
  }
  if (!reading.notices.every(isKeepable)) throw errors.notice_invalid()
  const notices = distinct(reading.notices)
  if (notices.length === 0) return
  await db.transact(businessId, async (tx) => {
    if ((await insertNotices(tx, accountId, notices, receivedAt)) === 0) return
    await scheduleJob(tx, NOTICES, receivedAt, 'real')
    await scheduleJob(tx, NOTICE_PURGE, receivedAt.add({ hours: RETENTION_HOURS }), 'real')
  })
}

function isKeepable({ id, type, subject, facts }: Notice): boolean {
  const entries = Object.entries(facts)
  return (
    id !== '' &&
    [id, type, subject.reference, subject.key ?? ''].every((text) => isKeepableText(text, MAX_TEXT_LENGTH)) &&
    entries.length <= MAX_FACTS &&
    entries.flat().every((text) => isKeepableText(text, MAX_FACT_LENGTH))
  )
}

function isKeepableText(text: string, maxLength: number): boolean {
  return text.length <= maxLength && isStorable(text)
}

function distinct(notices: readonly Notice[]): Notice[] {
  return [...new Map(notices.map((notice) => [notice.id, notice])).values()]
}
