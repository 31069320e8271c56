import { defineErrors } from '#kernel/errors'

/** Numbers 96 to 99 are this module's. */
export const errors = defineErrors({
  clock_advancing: {
    status: 409,
    number: 96,
    type: 'conflict',
    message: 'The clock is being advanced already.',
    recommendedAction: 'Wait until the advance that is under way has been answered.',
  },
  clock_cannot_go_back: {
    status: 422,
    number: 96,
    type: 'invalid_request',
    message: 'The clock can only be moved forward.',
  },
  advance_too_far: {
    status: 422,
    number: 97,
    type: 'invalid_request',
    message: 'The clock can be moved by at most 10 years at once.',
    recommendedAction: 'Move it in several steps.',
  },
  advance_ambiguous: {
    status: 422,
    number: 98,
    type: 'invalid_request',
    message: 'Give either to or by, not both.',
  },
})
