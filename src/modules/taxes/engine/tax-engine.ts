import type { Caller } from '#platform/caller'
import { onceShowingSecret } from '#platform/idempotency/shown-secret'
import type { Database } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'
import type { Rewrap } from '#platform/security/rewrap'
import { newSigningSecret } from '#platform/security/standard-webhooks'
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
  const currentSecret = async () => {
    const sealed = await readSealedSecret(ctx.db, caller.businessId)
    return sealed === undefined ? '' : ctx.keyring.open(sealed, engineSecretBinding(caller.businessId))
  }
  return onceShowingSecret(ctx.db, caller, currentSecret, async (tx) => {
    const secret = newSigningSecret()
    const sealedSecret = ctx.keyring.seal(secret, engineSecretBinding(tx.businessId))
    const saved = await saveEngine(tx, {
      url: request.url,
      timeoutMs: request.timeout_ms ?? MAX_ENGINE_TIMEOUT_MS,
      onSilence: request.on_silence,
      sealedSecret,
      createdAt: tx.now,
    })
    if (saved === undefined) throw new Error('the tax engine was not saved')
    return {
      holder: 'tax_engine',
      secret: saved.sealedSecret === sealedSecret ? secret : undefined,
      value: (shown) => ({ ...saved, secret: shown }),
    }
  })
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

export function rewrapEngineSecret(db: Database, keyring: Pick<Keyring, 'rewrap'>): Rewrap {
  return async (businessId) => {
    const sealed = await readSealedSecret(db, businessId)
    if (sealed === undefined) return 0
    const rewrapped = keyring.rewrap(sealed, engineSecretBinding(businessId))
    if (rewrapped === sealed) return 0
    return db.transact(businessId, (tx) => replaceSealedSecret(tx, sealed, rewrapped))
  }
}
