import type { Schemas } from 'quittance'

export type Message = Schemas['Message']
export type MessageKind = Message['kind']

export const KINDS = [
  'receipt',
  'invoice',
  'credit_note',
  'payment_failed',
  'payment_reminder',
  'plan_canceled',
  'trial_ending',
  'renewal_ahead',
  'portal_link',
  'card_expiring',
  'usage_alert',
  'balance_low',
] as const satisfies readonly MessageKind[]

export const STATES = [
  'queued',
  'sent',
  'failed',
  'kept',
  'dropped',
  'suppressed',
  'bounced',
  'complained',
] as const satisfies readonly Message['state'][]

export const TONES = {
  queued: 'info',
  sent: 'good',
  failed: 'bad',
  kept: 'plain',
  dropped: 'plain',
  suppressed: 'wait',
  bounced: 'bad',
  complained: 'bad',
} as const satisfies Record<Message['state'], string>
