import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { billingDetails } from '#modules/taxes'
import { scheduleJob } from '#platform/jobs/jobs'
import { isMailAddress } from '#platform/mail/address'
import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import { MESSAGE_PURGE, MESSAGES } from '../job-names.ts'
import { decideMessage } from '../model/decide-message.ts'
import type { MessageCause } from '../model/message.ts'
import type { MessageSettings } from '../model/settings.ts'
import { messageLanguage } from '../rendering/words.ts'
import { insertMessages, type NewMessage } from '../storage/message.repository.ts'
import { findSuppressions } from '../storage/suppression.repository.ts'

/**
 * Nearly every transaction that writes a message has committed by then. A billing run writes messages several times a second, and
 * each look for them is a transaction: with 250 ms, looks were most of the transactions that receipts added to a run.
 */
const COMMIT_MS = 1_000

/**
 * Writes the messages of these causes in the transaction of the causes: three reads and one insert for all of them, and none
 * where no kind of them is enabled. A cause that has its message already makes none.
 */
export async function createMessages(
  ctx: MessagesContext,
  tx: Tx,
  causes: readonly MessageCause[],
): Promise<void> {
  if (causes.length === 0) return
  const settings = await ctx.settingsOf(tx.businessId)
  const enabled = causes.filter(({ kind }) => settings.enabled.includes(kind))
  await writeMessages(ctx, tx, enabled, settings)
}

/** Writes messages of any kind, enabled or not. */
export async function writeMessages(
  ctx: MessagesContext,
  tx: Tx,
  causes: readonly MessageCause[],
  settings: MessageSettings,
): Promise<readonly NewMessage[]> {
  if (causes.length === 0) return []
  const uuids = [...new Set(causes.map(({ customerUuid }) => customerUuid))]
  const [customers, details, { environment }] = await Promise.all([
    ctx.customers.findCustomers(tx, uuids),
    billingDetails(tx, uuids),
    ctx.businesses.profile(tx.businessId),
  ])
  const addresses = causes.flatMap(
    ({ recipient, customerUuid }) =>
      recipient ?? details.get(customerUuid)?.invoiceEmail ?? customers.get(customerUuid)?.email ?? [],
  )
  const ground = {
    settings,
    isTest: environment === 'test',
    customers,
    details,
    suppressions: await findSuppressions(tx, addresses),
    languageOf: messageLanguage,
    isAddress: isMailAddress,
  }
  const messages = causes.flatMap((cause): NewMessage[] => {
    const decided = decideMessage(cause, ground, newId('msg'))
    return decided === null ? [] : [{ ...decided, documentIds: cause.documentIds ?? [] }]
  })
  if (messages.length === 0) return []
  const realNow = realClock.now()
  tx.defer(insertMessages(tx, messages))
  tx.defer(scheduleJob(tx, MESSAGES, realNow.add({ milliseconds: COMMIT_MS }), 'real'))
  tx.defer(scheduleJob(tx, MESSAGE_PURGE, tx.now.add({ hours: 24 * settings.messageDays })))
  return messages
}
