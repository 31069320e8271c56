import Type, { type Static } from 'typebox'
import { ExactNumber } from '#kernel/json'
import { EXPECTED, strictObject, Text } from '#platform/http/validation/schemas'

/** The bound of reference/disputes#evidence. */
const MAX_TEXT = 20_000

const EvidenceFileSchema = strictObject(
  {
    name: Text({ max: 255, description: 'The name of the file, as the acquirer will show it.' }),
    content_type: Type.String({
      pattern: '^[a-z0-9.+-]+/[a-z0-9.+-]+$',
      maxLength: 100,
      [EXPECTED]: 'a media type such as application/pdf',
    }),
    content: Type.Refine(
      Type.String({ contentEncoding: 'base64', [EXPECTED]: 'base64 with its padding' }),
      isBase64,
      () => 'must be base64 with its padding',
    ),
  },
  { title: 'NewEvidenceFile' },
)

function isBase64(value: unknown): boolean {
  return (
    typeof value === 'string' && value !== '' && Buffer.from(value, 'base64').toString('base64') === value
  )
}

export type EvidenceRequest = Readonly<Record<string, string | Static<typeof EvidenceFileSchema> | null>>

export const EvidenceRequestSchema = Type.Refine(
  Type.Unsafe<EvidenceRequest>(
    Type.Object(
      {},
      {
        additionalProperties: Type.Union([Text({ max: MAX_TEXT }), EvidenceFileSchema, Type.Null()]),
        description:
          'Texts and files by the names that the acquirer takes, such as `uncategorized_text`. Members are merged one by one; null removes one.',
      },
    ),
  ),
  (value) => !(value instanceof ExactNumber),
  () => 'must be an object',
)
