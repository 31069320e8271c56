import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  reconciliation_not_found: {
    status: 404,
    number: 67,
    type: 'not_found',
    message: 'No reconciliation has this id.',
  },
  account_not_found: {
    status: 404,
    number: 68,
    type: 'not_found',
    message: 'No active acquirer account has this id.',
  },
  nothing_to_reconcile: {
    status: 409,
    number: 67,
    type: 'conflict',
    message: 'There is no active acquirer account whose books could be compared.',
    recommendedAction: 'Connect an account of another acquirer first: the simulator has no payouts.',
  },
})
