import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { type Instant, realClock } from '#kernel/clock'
import { addDuration, isDurationProblem, parseDuration } from '#kernel/duration'
import {
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
import { startTracing, tracedFromHere } from '#platform/observability/tracing'
import { KEY_FILE_REFRESH_MS, keyringForCommand, requireKeys } from '#platform/security/key-source'
import { auditedCommand } from './audited-command.ts'
import { listBusinesses, listKeys } from './lists.ts'
import type { CommandResult, CommandContext } from './operator-command.ts'
import { withDatabase } from './operator-database.ts'
import { readSandbox, sandboxOf } from '../sandbox-file.ts'
import { addUserCommands } from './user-commands.ts'

let commandName = ''

/**
 * The operator's commands (reference/operations#command-line). They work while the service runs. Commands that need
 * every module import them when they run, so that the others start in half the time.
 */
export function addOperatorCommands(program: Command): void {
  program.hook('preAction', (_program, action) => {
    const names = [action.parent === program ? undefined : action.parent?.name(), action.name()]
    commandName = names.filter((name) => name !== undefined).join(' ')
  })
  addBusinessCommands(program)
  addKeyCommands(program)
  addUserCommands(program, { withJson, run, baseUrlOf })
  withJson(program.command('migrate'))
    .description('run all pending migrations')
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
    .description('check every rule over the whole database; exits with 1 if any is broken')
    .action(async (options: JsonOption) => {
      const { verify } = await import('./verify-command.ts')
      return run(options, verify)
    })
  addEraseAgain(program)
  withJson(program.command('recovered'))
    .description(
      'after the database came back from a backup: guard numbers, inquire, and list what acquirers booked since',
    )
    .requiredOption('--since <time>', 'RFC 3339 time that the recovered database ends at')
    .action(async (options: JsonOption & { since: string }) => {
      const { recovered } = await import('./recovered-command.ts')
      const audit = { action: 'database.recovered', request: { since: options.since } }
      return run(options, auditedCommand(audit, recovered(options)))
    })
}

function addEraseAgain(program: Command): void {
  withJson(program.command('erase-again'))
    .description('after a recovery: erase the personal data of customers whom the backup brought back')
    .requiredOption('--business <customer code>', 'the customer_code of the business')
    .addOption(environmentOption())
    .argument('<customer uuid...>')
    .action(async (uuids: string[], options: JsonOption & { business: string; env: Environment }) => {
      const { eraseCustomersAgain } = await import('./erase-again-command.ts')
      const tenant = { code: options.business, environment: options.env }
      const audit = {
        action: 'customers.erase_again',
        tenantOf: (businesses: Businesses) => businesses.tenantOf(tenant),
      }
      return run(options, auditedCommand(audit, eraseCustomersAgain(tenant, uuids)))
    })
}

function addBusinessCommands(program: Command): void {
  const businesses = program
    .command('businesses')
    .description('manage businesses; each has a test and a live environment')
  withJson(businesses.command('create'))
    .description('create a business with an app and an API key for its test environment')
    .requiredOption('--name <name>', 'name of the business')
    .option('--time-zone <zone>', 'IANA time zone (default: Asia/Hong_Kong)')
    .option('--currency <code>', 'ISO 4217 currency (default: HKD)')
    .action((options: JsonOption & { name: string; timeZone?: string; currency?: string }) => {
      const business = prepareBusiness(options)
      const { name, timeZone, currency } = business
      const audit = {
        action: 'businesses.create',
        object: { type: 'businesses', id: business.code },
        request: { name, time_zone: timeZone, currency },
      }
      const create = async (context: CommandContext) => {
        await context.businesses.create(business)
        const sandbox = sandboxOf(business, await baseUrlOf(context.config))
        return { json: sandbox, text: membersAsText(sandbox) }
      }
      return run(options, auditedCommand(audit, create))
    })
  withJson(businesses.command('list'))
    .description('list all businesses with the ids of their environments')
    .action((options: JsonOption) => run(options, listBusinesses))
  addWebhookSecretCommand(
    'webhook_secret.show',
    businesses.command('show-webhook-secret'),
    'show the secret that signs deliveries to notify_url and callback_url',
    (context, tenant) => context.businesses.showWebhookSecret(tenant),
  )
  addWebhookSecretCommand(
    'webhook_secret.rotate',
    businesses.command('rotate-webhook-secret'),
    'create a new secret; the previous one keeps signing for 24 hours',
    (context, tenant) => context.businesses.rotateWebhookSecret(tenant),
  )
}

function addWebhookSecretCommand(
  action: string,
  command: Command,
  description: string,
  secretOf: (context: CommandContext, tenant: NamedTenant) => Promise<WebhookSecret>,
): void {
  withJson(command)
    .description(description)
    .requiredOption('--code <customer code>', 'the customer_code of the business')
    .addOption(environmentOption())
    .action((options: JsonOption & { code: string; env: Environment }) => {
      const tenant = { code: options.code, environment: options.env }
      const audit = {
        action,
        object: { type: 'businesses', id: tenant.code },
        tenantOf: (businesses: Businesses) => businesses.tenantOf(tenant),
      }
      const show = async (context: CommandContext) => {
        const { businessId, webhookSecret } = await secretOf(context, tenant)
        const json = {
          business_id: businessId,
          customer_code: tenant.code,
          environment: tenant.environment,
          webhook_secret: webhookSecret,
        }
        return { json, text: membersAsText(json) }
      }
      return run(options, auditedCommand(audit, show))
    })
}

function environmentOption(): Option {
  return new Option('--env <environment>', 'the environment').choices(['test', 'live']).makeOptionMandatory()
}

function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('manage API keys, signing keys and encryption keys')
  withJson(keys.command('create'))
    .description('create an API key; it is shown only once')
    .requiredOption('--app <app id>', 'id of the app')
    .addOption(environmentOption())
    .requiredOption(
      '--scope <scopes>',
      'such as payments:read; several separated by commas or by repeating --scope, or all',
      (scopes: string, before?: string) => (before === undefined ? scopes : `${before},${scopes}`),
    )
    .option('--expires-in <duration>', 'ISO 8601 duration, such as P90D (default: never expires)')
    .option('--name <name>', 'what people know the key by')
    .action((options: NewKeyOptions) => {
      const key = {
        name: options.name ?? null,
        appId: options.app,
        environment: options.env,
        scopes: parseScopes(options.scope),
        expiresAt: readExpiry(options.expiresIn),
      }
      const audit = {
        action: 'api_keys.create',
        object: { type: 'api_keys', id: null },
        tenantOf: (businesses: Businesses) => businesses.tenantOf(key),
        request: { name: key.name, scopes: key.scopes, expires_in: options.expiresIn ?? null },
      }
      const create = async ({ businesses }: CommandContext) => {
        const { keyId, apiKey } = await businesses.createKey(key)
        const json = { key_id: keyId, app_id: key.appId, api_key: apiKey }
        return { json, text: membersAsText(json) }
      }
      return run(options, auditedCommand(audit, create))
    })
  withJson(keys.command('list'))
    .description('list all API keys, oldest first, without the keys themselves')
    .action((options: JsonOption) => run(options, listKeys))
  withJson(keys.command('revoke'))
    .description('revoke an API key; it is refused everywhere once the command ends')
    .argument('<key id>')
    .action((keyId: string, options: JsonOption) => {
      const audit = {
        action: 'api_keys.revoke',
        object: { type: 'api_keys', id: keyId },
        tenantOf: (businesses: Businesses) => businesses.tenantOf({ keyId }),
      }
      const revoke = async ({ businesses }: CommandContext) => {
        await businesses.revokeKey(keyId)
        return { json: { key_id: keyId, revoked: true }, text: `${keyId} is revoked.` }
      }
      return run(options, auditedCommand(audit, revoke))
    })
  withJson(keys.command('remove-signing-key'))
    .description('remove the signing key of an app that has lost its private key')
    .requiredOption('--app <app id>', 'id of the app')
    .addOption(environmentOption())
    .action((options: JsonOption & { app: string; env: Environment }) => {
      const app = { appId: options.app, environment: options.env }
      const audit = {
        action: 'signing_key.delete',
        object: { type: 'apps', id: app.appId },
        tenantOf: (businesses: Businesses) => businesses.tenantOf(app),
      }
      const remove = async ({ businesses }: CommandContext) => {
        await businesses.removeSigningKey(app)
        return {
          json: { app_id: app.appId, environment: app.environment, removed: true },
          text: `The signing key of ${app.appId} in ${app.environment} is removed.`,
        }
      }
      return run(options, auditedCommand(audit, remove))
    })
  withJson(keys.command('rotate-encryption'))
    .description('re-encrypt everything with the newest key; can be repeated after an interruption')
    .action((options: JsonOption) =>
      run(options, auditedCommand({ action: 'encryption_keys.rotate' }, rotateEncryption)),
    )
}

interface NewKeyOptions extends JsonOption {
  readonly app: string
  readonly env: Environment
  readonly scope: string
  readonly expiresIn?: string
  readonly name?: string
}

interface JsonOption {
  readonly json?: boolean
}

function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON object')
}

async function run(
  options: JsonOption,
  command: (context: CommandContext) => Promise<CommandResult>,
): Promise<void> {
  const config = readConfig(process.env)
  const stopTracing = await startTracing(config.tracing)
  const perform = () =>
    withDatabase(config, async (database) => {
      const keyIdsInUse = await encryptionKeysInUse(database.db)
      const keys = keyringForCommand(config, keyIdsInUse)
      const businesses = new Businesses({ db: database.db, keyring: keys.keyring })
      return command({ ...database, ...keys, config, businesses, keyIdsInUse })
    })
  const result = tracedFromHere(`command ${commandName}`, {}, perform)
  await Promise.allSettled([result])
  await stopTracing()
  const { json, text, warning } = await result
  if (warning !== undefined) process.stderr.write(`${warning}\n`)
  process.stdout.write(`${options.json === true ? JSON.stringify(json) : text}\n`)
}

/** PUBLIC_URL, or the address of the service that runs, or last ran, on this DATA_DIR. */
async function baseUrlOf(config: Config): Promise<string> {
  if (config.publicUrl !== undefined) return config.publicUrl
  // A damaged file must not fail the command: the new business's secrets are shown only now.
  const sandbox = await readSandbox(config.dataDir).catch(() => undefined)
  return sandbox?.base_url ?? `http://${config.host}:${config.port}`
}

function readExpiry(text: string | undefined): Instant | null {
  if (text === undefined) return null
  const duration = parseDuration(text)
  if (isDurationProblem(duration)) throw new CommandError(`--expires-in ${duration.message}.`)
  return addDuration(realClock.now(), duration, 'UTC')
}

/**
 * Adds a new key to `keys.json` (with ENCRYPTION_KEYS the operator has already done so and restarted every process) and rewraps
 * every record.
 */
async function rotateEncryption(context: CommandContext): Promise<CommandResult> {
  const { config, db, keyring, keyFile, businesses, keyIdsInUse } = context
  const { rewraps } = await import('../maintenance.ts')
  // Checked first: a file that must be restored from a backup should not get a new key.
  requireKeys(config, keyring, keyIdsInUse)
  if (keyFile !== undefined) {
    keyFile.startRotation()
    // Afterwards a running service uses the new key too.
    await sleep(KEY_FILE_REFRESH_MS)
  }
  let records = 0
  for await (const { businessId } of businesses.tenants()) {
    for (const rewrap of rewraps(db, keyring)) records += await rewrap(businessId)
  }
  keyFile?.finishRotation()
  return {
    json: { encryption_key_id: keyring.newestKeyId, records },
    text: `${records} records were re-encrypted with key ${keyring.newestKeyId}.`,
  }
}

function membersAsText(members: object): string {
  return Object.entries(members)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')
}
