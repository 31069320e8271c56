import { MessageEventData } from './schemas.ts'

export const MESSAGE_EVENTS = {
  'message.sent': MessageEventData,
  'message.failed': MessageEventData,
  'message.bounced': MessageEventData,
  'message.complained': MessageEventData,
} as const
