export const MESSAGES = 'messages'
export const MESSAGE_WAKES = 'message_wakes'
export const MESSAGE_PURGE = 'message_purge'
