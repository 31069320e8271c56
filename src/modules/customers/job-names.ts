export const BINDING_INQUIRIES = 'payment_token_inquiries'
export const FAILED_TOKEN_PURGE = 'failed_payment_token_purge'
export const INSTRUMENT_REFRESH = 'instrument_refresh'
export const CARD_EXPIRY_NOTICES = 'card_expiry_notices'
