import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  erasure_not_found: {
    status: 404,
    number: 27,
    type: 'not_found',
    message: 'This erasure does not exist.',
  },
  legal_hold_not_found: {
    status: 404,
    number: 28,
    type: 'not_found',
    message: 'This customer has no legal hold.',
  },
  erasure_refused: {
    status: 409,
    number: 28,
    type: 'conflict',
    message: 'The customer cannot be erased now.',
    recommendedAction:
      'Resolve what data.blockers lists, or lift the legal hold, and then erase the customer.',
  },
  hold_too_late: {
    status: 409,
    number: 29,
    type: 'conflict',
    message: 'The erasure of this customer has begun.',
  },
})
