import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  clock_advancing: {
    status: 409,
    number: 96,
    type: 'conflict',
    message: 'The clock is already being advanced.',
    recommendedAction: 'Wait for the current advance to finish.',
  },
  clock_cannot_go_back: {
    status: 422,
    number: 96,
    type: 'invalid_request',
    message: 'The clock only moves forward; the target must not be in the past.',
  },
  advance_too_far: {
    status: 422,
    number: 97,
    type: 'invalid_request',
    message: 'One request can advance the clock by at most 10 years.',
    recommendedAction: 'Advance it in several requests.',
  },
  advance_ambiguous: {
    status: 422,
    number: 98,
    type: 'invalid_request',
    message: 'Send either to or by, not both.',
  },
})
