import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  dispute_not_found: {
    status: 404,
    number: 51,
    type: 'not_found',
    message: 'No dispute has this id.',
  },
  dispute_not_open: {
    status: 409,
    number: 83,
    type: 'conflict',
    message: 'The dispute no longer accepts evidence because it is under review or closed.',
  },
  dispute_deadline_passed: {
    status: 409,
    number: 84,
    type: 'conflict',
    message: 'The dispute no longer accepts evidence because respond_by has passed.',
  },
  evidence_already_submitted: {
    status: 409,
    number: 53,
    type: 'conflict',
    message: 'Evidence has already been submitted. It can be submitted only once.',
  },
  submission_in_progress: {
    status: 409,
    number: 54,
    type: 'conflict',
    message: 'The evidence is being submitted, or the outcome of its submission is not known yet.',
    recommendedAction: 'Read the dispute until submitted_at is set, or wait for dispute.evidence_submitted.',
  },
  evidence_not_taken: {
    status: 422,
    number: 51,
    type: 'invalid_request',
    message: 'The acquirer does not accept evidence with this name.',
  },
  evidence_too_large: {
    status: 422,
    number: 52,
    type: 'invalid_request',
    message:
      'The evidence of a dispute can have at most 150,000 characters of text and 5,000,000 bytes of files in total.',
  },
  evidence_missing: {
    status: 422,
    number: 53,
    type: 'invalid_request',
    message: 'No evidence is staged.',
    recommendedAction: 'Send evidence with PUT …/disputes/:id/evidence first.',
  },
  evidence_refused: {
    status: 502,
    number: 51,
    type: 'acquirer_error',
    message: 'The acquirer refused the evidence. Nothing was submitted.',
    recommendedAction: 'Change the evidence as the message says, and submit it again.',
  },
  submission_unknown: {
    status: 504,
    number: 51,
    type: 'acquirer_error',
    message:
      'The acquirer did not respond, so it may or may not have received the evidence. The service keeps asking.',
    recommendedAction: 'Read the dispute later, or wait for dispute.evidence_submitted.',
  },
})
