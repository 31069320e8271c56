import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  bank_statement_not_found: {
    status: 404,
    number: 94,
    type: 'not_found',
    message: 'There is no such bank statement.',
  },
  bank_entry_not_found: {
    status: 404,
    number: 95,
    type: 'not_found',
    message: 'There is no such bank entry.',
  },
  statement_invalid: {
    status: 422,
    number: 68,
    type: 'invalid_request',
    message: 'The bank statement cannot be read.',
    recommendedAction: 'Send camt.053 as the bank made it, or CSV with the documented columns.',
  },
  value_date_invalid: {
    status: 422,
    number: 95,
    type: 'invalid_request',
    message: 'Money cannot have moved on this day.',
  },
  plan_mismatch: {
    status: 422,
    number: 84,
    type: 'invalid_request',
    message: 'The plan belongs to another customer or has another currency than the order.',
  },
  not_by_hand: {
    status: 409,
    number: 64,
    type: 'conflict',
    message: 'Only payments and repayments by hand can be undone.',
    recommendedAction: 'Unmatch a transfer at its bank entry, and void or refund other payments.',
  },
  nothing_due: {
    status: 409,
    number: 65,
    type: 'conflict',
    message: 'The invoice has no amount due.',
  },
  match_invalid: {
    status: 422,
    number: 69,
    type: 'invalid_request',
    message: 'The bank entry cannot be matched, unmatched or ignored in this way.',
  },
})

/** @param line counts from 1 */
export function invalidLine(line: number, message: string): Error {
  return errors.statement_invalid({
    param: 'bank_statement.content',
    message: `Line ${line} ${message}.`,
    data: { line },
  })
}
