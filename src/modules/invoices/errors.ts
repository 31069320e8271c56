import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  invoice_not_found: {
    status: 404,
    number: 17,
    type: 'not_found',
    message: 'There is no such invoice.',
  },
  invoice_line_not_found: {
    status: 404,
    number: 18,
    type: 'not_found',
    message: 'The invoice has no such line.',
  },
  nothing_left_to_credit: {
    status: 409,
    number: 95,
    type: 'conflict',
    message: 'Nothing of the invoice is left to credit.',
  },
  refund_not_possible: {
    status: 409,
    number: 93,
    type: 'conflict',
    message: 'What was paid of the invoice cannot be given back in this way.',
    recommendedAction: 'Issue the credit note with another value of refund, or of a smaller amount.',
  },
  einvoice_incomplete: {
    status: 409,
    number: 94,
    type: 'conflict',
    message: 'The invoice lacks what EN 16931 requires of an electronic invoice.',
    recommendedAction:
      'Complete the billing details or the legal entity. Documents are copies: later ones have what is missing.',
  },
  credit_note_inconsistent: {
    status: 422,
    number: 94,
    type: 'invalid_request',
    message: 'A credit note takes lines or an amount, and each line once.',
  },
  invoice_inconsistent: {
    status: 422,
    number: 93,
    type: 'invalid_request',
    message: 'The lines of the invoice cannot be billed.',
  },
})
