export const CARD_EXPIRY = 'card_expiry'
export const HOLD_EXPIRY = 'card_hold_expiry'
export const HOOK_TIMEOUT = 'card_hook_timeout'
