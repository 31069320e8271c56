import type { AwaitedMessage } from '#modules/messages'
import type { NextEntry } from './next-entry.ts'

export function messageEntries(awaited: readonly AwaitedMessage[]): NextEntry[] {
  return awaited.map(({ kind, objectId, dueAt }): NextEntry =>
    kind === 'renewal_ahead'
      ? {
          at: dueAt,
          kind: 'message.renewal_ahead',
          text: 'The payer is told by e-mail that the plan renews.',
          reason: 'Renewals of long periods are announced.',
          reasonCode: 'renewal_announced',
          objectId,
        }
      : {
          at: dueAt,
          kind: 'message.payment_reminder',
          text: 'The payer is reminded of the order by e-mail, unless it is paid before.',
          reason: 'The dunning policy of the plan has reminders.',
          reasonCode: 'payment_reminded',
          objectId,
        },
  )
}
