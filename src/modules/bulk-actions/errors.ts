import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  bulk_action_not_found: {
    status: 404,
    number: 12,
    type: 'not_found',
    message: 'No bulk action of this kind has this id.',
  },
  bulk_action_ended: {
    status: 409,
    number: 13,
    type: 'conflict',
    message: 'The bulk action has already been completed or canceled.',
  },
  bulk_action_not_stopped: {
    status: 409,
    number: 14,
    type: 'conflict',
    message: 'Only a bulk action whose state is stopped can be taken over.',
  },
  bulk_selection_invalid: {
    status: 422,
    number: 12,
    type: 'invalid_request',
    message: 'Send either bulk_action.ids or bulk_action.filter.',
  },
  bulk_options_invalid: {
    status: 422,
    number: 86,
    type: 'invalid_request',
    message:
      'bulk_action.change is required when bulk_action.action is change, and must be left out otherwise.',
  },
})
