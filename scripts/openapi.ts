/**
 * Writes openapi.json from the routes that the service serves; with --check only says whether the
 * committed one is the same. Nothing is connected to: the composition is made and looked at.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createSimulatorAcquirer } from '#modules/acquirers'
import { readWalletConfiguration } from '#modules/wallets'
import { Database } from '#platform/database'
import { Egress } from '#platform/egress'
import { platformErrors } from '#platform/http/errors'
import { openApiDocument } from '#platform/http/openapi'
import { keysOfEnvironment } from '#platform/key-source'
import { Keyring } from '#platform/keyring'
import { createLog } from '#platform/log'
import { createMetrics } from '#platform/metrics'
import { compose } from '../src/compose.ts'

const FILE = 'openapi.json'
const baseUrl = 'http://127.0.0.1:8080'

const composition = compose({
  db: new Database({ url: 'postgres://nobody@127.0.0.1:1/none' }),
  keyring: new Keyring(keysOfEnvironment('0'.repeat(64))),
  testAcquirer: createSimulatorAcquirer({ url: baseUrl, merchantId: 'SIMULATOR' }),
  egress: new Egress({ allowPrivate: false }),
  publicUrl: () => baseUrl,
  wallets: await readWalletConfiguration({ chainsFile: undefined, walletXpub: undefined }),
  metrics: createMetrics(),
  log: createLog({ level: 'silent' }),
})
const document = openApiDocument({
  routes: composition.routes,
  catalogues: [platformErrors.catalogue, ...composition.catalogues],
  publicUrl: baseUrl,
})
const text = `${JSON.stringify(document, null, 2)}\n`

if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) {
    console.error(`${FILE} is not what the code serves; write it anew with: npm run openapi`)
    process.exit(1)
  }
  console.log(`${FILE} is what the code serves`)
} else {
  writeFileSync(FILE, text)
}
