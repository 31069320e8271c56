import type { Caller } from '#platform/caller'
import { putWithSecret, type SecretHolder } from '#platform/idempotency/secret-holder'
import type { TaxesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { engineSecretBinding, MAX_ENGINE_TIMEOUT_MS, type TaxEngine } from '../model/tax-engine.ts'
import {
  deleteEngine,
  findEngine,
  readSealedSecret,
  replaceSealedSecret,
  saveEngine,
} from '../storage/tax-engine.repository.ts'
import type { NewTaxEngine } from './tax-engine-request.ts'

export const ENGINE_SECRET: SecretHolder = {
  holder: 'tax_engine',
  bindingOf: engineSecretBinding,
  read: readSealedSecret,
  replace: replaceSealedSecret,
}

export interface ShownEngine extends TaxEngine {
  readonly secret?: string | undefined
}

export async function putEngine(
  ctx: TaxesContext,
  caller: Caller,
  request: NewTaxEngine,
): Promise<ShownEngine> {
  const param = 'tax_engine.url'
  const problem = ctx.egress.checkUrl(request.url)
  if (problem !== undefined)
    throw errors.tax_engine_url_not_allowed({ param, message: `${param} ${problem}.` })
  return putWithSecret(ctx, caller, ENGINE_SECRET, (tx, sealedSecret) =>
    saveEngine(tx, {
      url: request.url,
      timeoutMs: request.timeout_ms ?? MAX_ENGINE_TIMEOUT_MS,
      onSilence: request.on_silence,
      sealedSecret,
      createdAt: tx.now,
    }),
  )
}

export async function getEngine(ctx: TaxesContext, { businessId }: Caller): Promise<ShownEngine> {
  const engine = await ctx.db.transact(businessId, findEngine)
  if (engine === undefined) throw errors.tax_engine_not_found()
  return engine
}

export async function removeEngine(ctx: TaxesContext, { businessId }: Caller): Promise<ShownEngine> {
  const engine = await ctx.db.transact(businessId, deleteEngine)
  if (engine === undefined) throw errors.tax_engine_not_found()
  return engine
}
