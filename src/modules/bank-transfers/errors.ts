import { defineErrors } from '#kernel/errors'

export const errors = defineErrors({
  statement_invalid: {
    status: 422,
    number: 68,
    type: 'invalid_request',
    message: 'The bank statement cannot be read.',
    recommendedAction: 'Send camt.053 as the bank made it, or CSV with the documented columns.',
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
