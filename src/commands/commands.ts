import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { type Instant, isAfter, realClock, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { addDuration, isDurationProblem, parseDuration } from '#kernel/duration'
import {
  type ApiKey,
  Businesses,
  CommandError,
  encryptionKeysInUse,
  type NamedTenant,
  parseScopes,
  prepareBusiness,
  type WebhookSecret,
} from '#modules/businesses'
import type { Environment } from '#platform/caller'
import { type Config, readConfig } from '#platform/config'
import { KEY_FILE_REFRESH_MS, keyringOfCommand, requireKeys } from '#platform/security/key-source'
import { rewraps } from '../compose.ts'
import type { Result, Workplace } from './operator-command.ts'
import { withDatabase } from './operator-database.ts'
import { readSandbox, sandboxOf } from '../sandbox-file.ts'
import { verify } from './verify-command.ts'

/** The operator's commands (decisions, section 10). They work beside a running service. */
export function addOperatorCommands(program: Command): void {
  addBusinessCommands(program)
  addKeyCommands(program)
  withJson(program.command('migrate'))
    .description('bring the database to the newest migration')
    .action((options: JsonOption) =>
      run(options, async ({ migrations }) => ({
        json: { migrations },
        text:
          migrations.length === 0
            ? 'Nothing to migrate.'
            : migrations.map((name) => `Ran ${name}.`).join('\n'),
      })),
    )
  withJson(program.command('verify'))
    .description('check every rule over the whole database; exits with 1 when one is broken')
    .action((options: JsonOption) => run(options, verify))
}

function addBusinessCommands(program: Command): void {
  const businesses = program
    .command('businesses')
    .description('businesses: each has a test and a live environment')
  withJson(businesses.command('create'))
    .description('make a business with an app and a key of its test environment')
    .requiredOption('--name <name>', 'what the business is called')
    .option('--time-zone <zone>', 'IANA time zone (default: Asia/Hong_Kong)')
    .option('--currency <code>', 'ISO 4217 currency (default: HKD)')
    .action((options: JsonOption & { name: string; timeZone?: string; currency?: string }) => {
      const business = prepareBusiness(options)
      return run(options, async (place) => {
        await place.businesses.create(business)
        const sandbox = sandboxOf(business, await baseUrlOf(place.config))
        return { json: sandbox, text: membersAsText(sandbox) }
      })
    })
  addWebhookSecretCommand(
    businesses.command('show-webhook-secret'),
    'show the secret that signs what is sent to notify_url and callback_url',
    (place, tenant) => place.businesses.showWebhookSecret(tenant),
  )
  addWebhookSecretCommand(
    businesses.command('rotate-webhook-secret'),
    'make a new one; the one until now signs beside it for 24 hours',
    (place, tenant) => place.businesses.rotateWebhookSecret(tenant),
  )
}

function addWebhookSecretCommand(
  command: Command,
  description: string,
  secretOf: (place: Workplace, tenant: NamedTenant) => Promise<WebhookSecret>,
): void {
  withJson(command)
    .description(description)
    .requiredOption('--code <customer code>', 'the customer_code of the business')
    .addOption(environmentOption())
    .action((options: JsonOption & { code: string; env: Environment }) => {
      const tenant = { code: options.code, environment: options.env }
      return run(options, async (place) => {
        const { businessId, webhookSecret } = await secretOf(place, tenant)
        const json = {
          business_id: businessId,
          customer_code: tenant.code,
          environment: tenant.environment,
          webhook_secret: webhookSecret,
        }
        return { json, text: membersAsText(json) }
      })
    })
}

function environmentOption(): Option {
  return new Option('--env <environment>', 'the environment').choices(['test', 'live']).makeOptionMandatory()
}

function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('API keys of apps, and the keys that secrets are encrypted with')
  withJson(keys.command('create'))
    .description('make an API key; it is shown this once')
    .requiredOption('--app <app id>', 'the app that the key is for')
    .addOption(environmentOption())
    .requiredOption(
      '--scope <scopes>',
      'such as payments:read; several with commas between them or each with its own --scope, or all',
      (scopes: string, before?: string) => (before === undefined ? scopes : `${before},${scopes}`),
    )
    .option('--expires-in <duration>', 'ISO 8601, such as P90D (default: never)')
    .action((options: JsonOption & { app: string; env: Environment; scope: string; expiresIn?: string }) => {
      const key = {
        appId: options.app,
        environment: options.env,
        scopes: parseScopes(options.scope),
        expiresAt: readExpiry(options.expiresIn),
      }
      return run(options, async ({ businesses }) => {
        const { keyId, apiKey } = await businesses.createKey(key)
        const json = { key_id: keyId, app_id: key.appId, api_key: apiKey }
        return { json, text: membersAsText(json) }
      })
    })
  withJson(keys.command('list'))
    .description('all API keys, oldest first; never the keys themselves')
    .action((options: JsonOption) => run(options, listKeys))
  withJson(keys.command('revoke'))
    .description('revoke an API key; when the command ends, it is refused everywhere')
    .argument('<key id>')
    .action((keyId: string, options: JsonOption) =>
      run(options, async ({ businesses }) => {
        await businesses.revokeKey(keyId)
        return { json: { key_id: keyId, revoked: true }, text: `${keyId} is revoked.` }
      }),
    )
  withJson(keys.command('remove-signing-key'))
    .description('for an app that cannot sign any more; when the command ends, it need not')
    .requiredOption('--app <app id>', 'the app that registered the key')
    .addOption(environmentOption())
    .action((options: JsonOption & { app: string; env: Environment }) => {
      const app = { appId: options.app, environment: options.env }
      return run(options, async ({ businesses }) => {
        await businesses.removeSigningKey(app)
        return {
          json: { app_id: app.appId, environment: app.environment, removed: true },
          text: `The signing key of ${app.appId} in ${app.environment} is removed.`,
        }
      })
    })
  withJson(keys.command('rotate-encryption'))
    .description('put all that is encrypted under the newest key; begins again where it was interrupted')
    .action((options: JsonOption) => run(options, rotateEncryption))
}

interface JsonOption {
  readonly json?: boolean
}

function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON object')
}

async function run(options: JsonOption, command: (place: Workplace) => Promise<Result>): Promise<void> {
  const config = readConfig(process.env)
  const { json, text, warning } = await withDatabase(config, async (database) => {
    const keyIdsInUse = await encryptionKeysInUse(database.db)
    const keys = keyringOfCommand(config, keyIdsInUse)
    const businesses = new Businesses({ db: database.db, keyring: keys.keyring })
    return command({ ...database, ...keys, config, businesses, keyIdsInUse })
  })
  if (warning !== undefined) process.stderr.write(`${warning}\n`)
  process.stdout.write(`${options.json === true ? JSON.stringify(json) : text}\n`)
}

/** The address of the service that runs on this DATA_DIR, or ran there last. */
async function baseUrlOf(config: Config): Promise<string> {
  // Without one that can be read the new business is shown all the same: its secrets are shown this once.
  const sandbox = await readSandbox(config.dataDir).catch(() => undefined)
  return sandbox?.base_url ?? `http://${config.host}:${config.port}`
}

function readExpiry(text: string | undefined): Instant | null {
  if (text === undefined) return null
  const duration = parseDuration(text)
  if (isDurationProblem(duration)) throw new CommandError(`--expires-in ${duration.message}.`)
  return addDuration(realClock.now(), duration, 'UTC')
}

async function listKeys({ businesses }: Workplace): Promise<Result> {
  const keys: ApiKey[] = []
  for await (const key of businesses.keys()) keys.push(key)
  const json = {
    keys: keys.map((key) => ({
      key_id: key.keyId,
      app_id: key.appId,
      business_id: key.businessId,
      business_name: key.businessName,
      environment: key.environment,
      scopes: key.scopes,
      state: stateOf(key),
      created_at: toRfc3339(key.createdAt),
      expires_at: rfc3339OrNull(key.expiresAt),
      revoked_at: rfc3339OrNull(key.revokedAt),
      last_used_at: rfc3339OrNull(key.lastUsedAt),
    })),
  }
  const lines = json.keys.map((key) =>
    [
      key.key_id,
      key.state.padEnd(7),
      key.environment,
      key.app_id,
      key.business_name,
      key.scopes.join(','),
    ].join('  '),
  )
  return { json, text: lines.length === 0 ? 'There are no keys.' : lines.join('\n') }
}

function stateOf(key: ApiKey): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== null) return 'revoked'
  const isExpired = key.expiresAt !== null && !isAfter(key.expiresAt, realClock.now())
  return isExpired ? 'expired' : 'active'
}

/**
 * A new key is put in front of `keys.json`; with ENCRYPTION_KEYS the operator has done that, and every
 * process has been restarted. Then every record is rewrapped. Interrupted, it is run again.
 */
async function rotateEncryption(place: Workplace): Promise<Result> {
  const { config, db, keyring, keyFile, businesses, keyIdsInUse } = place
  // Half a rotation would put a new key into a file that is to be put back.
  requireKeys(config, keyring, keyIdsInUse)
  if (keyFile !== undefined) {
    keyFile.beginRotation()
    // From then on a running service seals with the new key too.
    await sleep(KEY_FILE_REFRESH_MS)
  }
  let records = 0
  for await (const { businessId } of businesses.tenants()) {
    for (const rewrap of rewraps(db, keyring)) records += await rewrap(businessId)
  }
  keyFile?.endRotation()
  return {
    json: { encryption_key_id: keyring.newestKeyId, records },
    text: `${records} records were put under the encryption key ${keyring.newestKeyId}.`,
  }
}

function membersAsText(members: object): string {
  return Object.entries(members)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')
}
