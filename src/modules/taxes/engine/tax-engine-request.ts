import Type, { type Static } from 'typebox'
import { HttpUrl, OneOf, strictObject } from '#platform/http/validation/schemas'
import { MAX_ENGINE_TIMEOUT_MS, ON_SILENCE } from '../model/tax-engine.ts'

export const NewTaxEngineSchema = strictObject(
  {
    url: HttpUrl({ description: 'Is asked for taxes and about VAT ids.' }),
    timeout_ms: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ENGINE_TIMEOUT_MS,
        description: `Default ${MAX_ENGINE_TIMEOUT_MS}.`,
      }),
    ),
    on_silence: OneOf(ON_SILENCE, {
      description: 'What taxes lines that the engine does not answer: your own rates, or nothing.',
    }),
  },
  { title: 'NewTaxEngine' },
)
export type NewTaxEngine = Static<typeof NewTaxEngineSchema>
