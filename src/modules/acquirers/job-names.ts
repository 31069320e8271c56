export const NOTICES = 'acquirer_notices'
export const NOTICE_PURGE = 'acquirer_notice_purge'
