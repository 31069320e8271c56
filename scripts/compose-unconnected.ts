import { createSimulatorAcquirer } from '#modules/acquirers'
import { readWalletConfiguration } from '#modules/wallets'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { Egress } from '#platform/security/egress'
import { keysFromEnvironment } from '#platform/security/key-source'
import { Keyring } from '#platform/security/keyring'
import { createLog } from '#platform/observability/log'
import { createMetrics } from '#platform/observability/metrics'
import { compose, type CompositionDependencies } from '../src/compose.ts'

export const BASE_URL = 'http://127.0.0.1:8080'

/** Composes the service without connecting to anything, so that scripts can read its routes. */
export async function composeUnconnected(
  replaced: Partial<CompositionDependencies> = {},
): Promise<ReturnType<typeof compose>> {
  return compose({
    db: new PlainDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' }),
    keyring: new Keyring(keysFromEnvironment('0'.repeat(64))),
    simulator: createSimulatorAcquirer({ url: BASE_URL, merchantId: 'SIMULATOR' }),
    egress: new Egress({ allowPrivate: false }),
    publicUrl: () => BASE_URL,
    wallets: await readWalletConfiguration({ chainsFile: undefined, walletXpub: undefined }),
    metrics: createMetrics(),
    log: createLog({ level: 'silent' }),
    rateLimit: 0,
    ...replaced,
  })
}
