import { defineErrors } from '#kernel/errors'

/** Numbers 80 to 86 are this module's. */
export const errors = defineErrors({
  time_range_reversed: {
    status: 422,
    number: 82,
    type: 'invalid_request',
    message: 'start_at must not be after end_at.',
  },
  wallet_not_found: {
    status: 404,
    number: 80,
    type: 'not_found',
    message: 'The user has no such wallet.',
  },
  blockchain_not_found: {
    status: 404,
    number: 81,
    type: 'not_found',
    message: 'The wallet has no address on such a blockchain.',
    recommendedAction: 'Use the name of a blockchain from the wallet’s addresses.',
  },
  fee_invalid: {
    status: 422,
    number: 80,
    type: 'invalid_request',
    message: 'The fee is out of range or has too many digits.',
  },
  user_id_not_allowed: {
    status: 422,
    number: 81,
    type: 'invalid_request',
    message: 'Only a rule of type user takes user_id.',
  },
})
