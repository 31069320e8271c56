import { defineErrors } from '#kernel/errors'

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
    message: 'The user has no wallet with this id.',
  },
  blockchain_not_found: {
    status: 404,
    number: 81,
    type: 'not_found',
    message: 'The wallet has no address on this blockchain.',
    recommendedAction: 'Use the name of a blockchain from the wallet’s addresses.',
  },
  sandbox_chain_required: {
    status: 409,
    number: 81,
    type: 'conflict',
    message: 'Deposits are sent only on a chain of the sandbox’s own, and CHAINS_FILE has no such chain.',
    recommendedAction:
      'Start a development node with npm run sandbox-chain, or name a chain of CHAINS_FILE that has sandbox: true.',
  },
  sandbox_chain_failed: {
    status: 503,
    number: 80,
    type: 'service_error',
    message: 'The node of the sandbox’s chain sent nothing.',
    recommendedAction: 'Check that the development node runs and is the one that CHAINS_FILE names.',
  },
  deposit_invalid: {
    status: 422,
    number: 108,
    type: 'invalid_request',
    message: 'The amount must be above 0 and have at most the decimals of the coin.',
  },
  fee_invalid: {
    status: 422,
    number: 80,
    type: 'invalid_request',
    message: 'The fee is out of range or has too many decimals.',
  },
  user_id_not_allowed: {
    status: 422,
    number: 81,
    type: 'invalid_request',
    message: 'fee_rule.user_id is allowed only when fee_rule.type is user.',
  },
})
