import Type, { type Static } from 'typebox'
import { DATE_RANGE_QUERY } from '#platform/http/validation/date-range'
import { OneOf, strictObject } from '#platform/http/validation/schemas'
import { REPORT_SCOPE } from '../reports/report-query.ts'

export const ExportQuerySchema = strictObject({
  format: OneOf(['datev', 'xero', 'quickbooks']),
  records: Type.Optional(
    OneOf(['documents', 'bank', 'cash'], {
      description:
        'What the file has: `documents` (the default for Xero and QuickBooks), or what was paid and refunded on the account `bank` or `cash`. Default for DATEV: all.',
    }),
  ),
  ...DATE_RANGE_QUERY,
  ...REPORT_SCOPE,
})
export type ExportQuery = Static<typeof ExportQuerySchema>
