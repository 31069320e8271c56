import Type, { type Static } from 'typebox'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { OneOf, Resource, strictObject } from '#platform/http/validation/schemas'
import type { TaxesContext } from '../context.ts'
import { getEngine, putEngine, removeEngine, type ShownEngine } from '../engine/tax-engine.ts'
import { NewTaxEngineSchema } from '../engine/tax-engine-request.ts'
import { ON_SILENCE } from '../model/tax-engine.ts'

const PATH = '/svc/billing/api/v1/openapi/tax_engine'
const TAG = 'Tax engine'

const TaxEngineBody = strictObject({ tax_engine: NewTaxEngineSchema })

const TaxEngineSchema = Resource('TaxEngine', {
  url: Type.String(),
  timeout_ms: Type.Integer(),
  on_silence: OneOf(ON_SILENCE),
  secret: Type.Optional(Type.String({ description: 'whsec_…, shown once.' })),
})

const TaxEngineData = Type.Object({ tax_engine: TaxEngineSchema })

export function engineRoutes(ctx: TaxesContext): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: PATH,
      scope: 'billing:write',
      summary: 'Register the tax engine',
      description:
        'It is asked for the taxes of lines, signed as webhooks are, and replaces your rates. The secret is shown when it is created; a later change keeps it.',
      tag: TAG,
      body: TaxEngineBody,
      example: { tax_engine: { url: 'https://tax.example.com/ask', timeout_ms: 2000, on_silence: 'rates' } },
      data: TaxEngineData,
      handle: ({ caller, body }) => putEngine(ctx, caller, body.tax_engine),
      render: renderEngineData,
    }),
    defineRoute({
      method: 'GET',
      path: PATH,
      scope: 'billing:read',
      summary: 'Get the tax engine',
      tag: TAG,
      data: TaxEngineData,
      handle: ({ caller }) => getEngine(ctx, caller),
      render: renderEngineData,
    }),
    defineRoute({
      method: 'DELETE',
      path: PATH,
      scope: 'billing:write',
      summary: 'Remove the tax engine',
      tag: TAG,
      data: TaxEngineData,
      handle: ({ caller }) => removeEngine(ctx, caller),
      render: renderEngineData,
    }),
  ]
}

export function renderEngineData(engine: ShownEngine): Static<typeof TaxEngineData> {
  return {
    tax_engine: {
      url: engine.url,
      timeout_ms: engine.timeoutMs,
      on_silence: engine.onSilence,
      ...(engine.secret !== undefined && { secret: engine.secret }),
    },
  }
}
