export const BULK_ACTIONS = 'bulk_actions'
