import Type, { type Static } from 'typebox'
import { MetadataBody, OneOf, ReferenceId, strictObject, Text } from '#platform/http/validation/schemas'
import { STATEMENT_FORMATS } from '../model/bank-entry.ts'
import { MAX_STATEMENT_LENGTH } from '../statements/statement-values.ts'

export const NewStatementSchema = strictObject(
  {
    format: OneOf(STATEMENT_FORMATS),
    content: Text({
      max: MAX_STATEMENT_LENGTH,
      description:
        'camt.053 of any version; or CSV whose header names `booking_date`, `amount` and `currency`, and any of `debtor_name`, `debtor_iban`, `bank_reference` and `remittance`.',
    }),
    reference_id: Type.Optional(ReferenceId),
    metadata: MetadataBody(),
  },
  { title: 'NewBankStatement' },
)
export type NewStatement = Static<typeof NewStatementSchema>
