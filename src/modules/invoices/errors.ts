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
    message: 'The invoice has no amount left to credit.',
  },
  refund_not_possible: {
    status: 409,
    number: 93,
    type: 'conflict',
    message: 'The paid amount of the invoice cannot be returned in this way.',
    recommendedAction: 'Send another value of refund, or a smaller amount.',
  },
  invoice_issued: {
    status: 409,
    number: 36,
    type: 'conflict',
    message: 'The invoice is issued, so it can no longer be changed, removed or issued.',
    recommendedAction: 'Correct it with a credit note or a reissue.',
  },
  invoice_not_issued: {
    status: 409,
    number: 37,
    type: 'conflict',
    message: 'The invoice is a draft. Only issued invoices have documents, payments and corrections.',
    recommendedAction: 'Issue the draft first.',
  },
  invoice_has_notes: {
    status: 409,
    number: 38,
    type: 'conflict',
    message: 'The invoice has credit notes, so it can no longer be replaced as a whole.',
    recommendedAction: 'Credit what is left of it, and make a new invoice.',
  },
  reissue_raises_total: {
    status: 409,
    number: 39,
    type: 'conflict',
    message: 'The new invoice would ask for more than this one.',
    recommendedAction: 'Credit the invoice, and make a new one that the customer pays.',
  },
  reissue_below_zero: {
    status: 409,
    number: 61,
    type: 'conflict',
    message: 'With the taxes of now the new invoice would be below zero.',
    recommendedAction: 'Correct the invoice with a credit note.',
  },
  einvoice_incomplete: {
    status: 409,
    number: 94,
    type: 'conflict',
    message: 'The invoice lacks data that EN 16931 requires of an electronic invoice.',
    recommendedAction:
      'Complete the billing details or the legal entity. Issued documents do not change, but later ones will be complete.',
  },
  accounts_missing: {
    status: 409,
    number: 62,
    type: 'conflict',
    message: 'The billing settings name no account for something in the range.',
    recommendedAction: 'Add the accounts of data.accounts with PUT /settings.',
  },
  not_importable: {
    status: 409,
    number: 66,
    type: 'conflict',
    message: 'The program would not import the file.',
    recommendedAction: 'Correct what the message names, or leave it out by another range.',
  },
  credit_note_inconsistent: {
    status: 422,
    number: 94,
    type: 'invalid_request',
    message: 'A credit note needs either lines or an amount, and can name each line once.',
  },
  invoice_inconsistent: {
    status: 422,
    number: 93,
    type: 'invalid_request',
    message: 'The lines of the invoice cannot be billed.',
  },
})
