import Type from 'typebox'
import {
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { SEARCHED_TYPES } from '#platform/search/search'

const MAX_RESULTS = 50
export const DEFAULT_RESULTS = 20

export const SearchQuery = strictObject({
  query: Text({
    max: 200,
    description:
      'A number, reference, id, amount, the last four digits of a card, or the beginning of a word of a name, title, e-mail address or phone number.',
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RESULTS,
      description: `At most ${MAX_RESULTS}, default ${DEFAULT_RESULTS}.`,
    }),
  ),
})

export const SearchResultSchema = Resource('SearchResult', {
  type: OneOf(SEARCHED_TYPES),
  id: Type.String(),
  parent_id: Nullable(
    Type.String({
      description: 'The order of a transaction or dispute, the customer of a payment token.',
    }),
  ),
  title: Type.String(),
  subtitle: Nullable(Type.String()),
  reference: Nullable(
    Type.String({
      description:
        'Your reference of the order, plan or customer; of a transaction, invoice or dispute that of the order.',
    }),
  ),
  customer: Nullable(Type.Object({ uuid: Type.String(), name: Type.String() })),
  amount: Nullable(Type.String()),
  currency: Nullable(Type.String()),
  state: Nullable(Type.String()),
  created_at: TimestampOut(),
  match: OneOf(['exact', 'prefix', 'similar'], {
    description: 'Whether an identifier is the text, begins with it, or has a word with a typing error.',
  }),
})

export const SearchData = Type.Object({ results: Type.Array(SearchResultSchema) })
