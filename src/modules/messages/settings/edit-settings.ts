import { untilCachesExpire } from '#modules/businesses'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import { MESSAGE_PURGE } from '../job-names.ts'
import type { SettingsEdit } from '../requests/message-requests.ts'
import type { MessageSettings } from '../model/settings.ts'
import { findSettings, lockSettings, saveSettings } from '../storage/settings.repository.ts'
import { putWakes } from '../dates/schedule-wakes.ts'

export function settingsOf(ctx: MessagesContext, { businessId }: Caller): Promise<MessageSettings> {
  return ctx.db.transact(businessId, (tx) => findSettings(tx))
}

/** Returns once the caches of all processes have expired, so that the next cause obeys the new settings. */
export async function editSettings(
  ctx: MessagesContext,
  caller: Caller,
  edit: SettingsEdit,
): Promise<MessageSettings> {
  const edited = await once(ctx.db, caller, async (tx) => {
    const before = await lockSettings(tx)
    const settings: MessageSettings = {
      enabled: edit.enabled ?? before.enabled,
      replyTo: edit.reply_to === undefined ? before.replyTo : edit.reply_to,
      language: edit.language === undefined ? before.language : edit.language,
      renewalDays: edit.renewal_days ?? before.renewalDays,
      deliverInTest: edit.deliver_in_test ?? before.deliverInTest,
      bcc: edit.bcc === undefined ? before.bcc : edit.bcc,
      joinReceipt: edit.join_receipt ?? before.joinReceipt,
      messageDays: edit.message_days ?? before.messageDays,
    }
    await saveSettings(tx, settings)
    await scheduleChanged(tx, before, settings)
    return settings
  })
  await untilCachesExpire()
  return edited
}

async function scheduleChanged(tx: Tx, before: MessageSettings, after: MessageSettings): Promise<void> {
  const announces = ({ enabled }: MessageSettings) => enabled.includes('renewal_ahead')
  const isOther = !announces(before) || before.renewalDays !== after.renewalDays
  if (announces(after) && isOther) {
    await putWakes(tx, [{ kind: 'renewal_scan', objectId: '', dueAt: tx.now, step: 0 }])
  }
  if (before.messageDays > after.messageDays) await scheduleJob(tx, MESSAGE_PURGE, tx.now)
}
