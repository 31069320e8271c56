import Type, { type Static } from 'typebox'
import { filteredListQuery } from '#platform/http/validation/list'
import { ENTRY_FIELDS } from '../storage/entry.repository.ts'

export const EntriesQuerySchema = filteredListQuery(ENTRY_FIELDS, {
  suggestions: Type.Optional(
    Type.Boolean({ description: 'Adds `suggestions` to each entry: what it may be matched with by hand.' }),
  ),
})
export type EntriesQuery = Pick<Static<typeof EntriesQuerySchema>, 'filter' | 'suggestions'>
