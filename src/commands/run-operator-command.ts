import { businessesOf, encryptionKeysInUse } from '#modules/businesses'
import { readConfig } from '#platform/config'
import { startTracing, tracedFromHere } from '#platform/observability/tracing'
import { keyringForCommand } from '#platform/security/key-source'
import type { OperatorCommand } from './operator-command.ts'
import { withDatabase } from './operator-database.ts'
import type { Terminal } from './terminal.ts'

export interface Invocation {
  readonly name: string
  readonly isJson: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly terminal: Terminal
}

export async function runOperatorCommand(
  command: OperatorCommand,
  { name, isJson, env, terminal }: Invocation,
): Promise<number> {
  const config = readConfig(env)
  const stopTracing = await startTracing(config.tracing)
  const perform = () =>
    withDatabase(config, async (database) => {
      const keyIdsInUse = await encryptionKeysInUse(database.db)
      const keys = keyringForCommand(config, keyIdsInUse)
      const businesses = businessesOf({ db: database.db, keyring: keys.keyring })
      return command({ ...database, ...keys, config, terminal, businesses, keyIdsInUse })
    })
  const result = tracedFromHere(`command ${name}`, {}, perform)
  await Promise.allSettled([result])
  await stopTracing()
  const { json, text, warning, exitCode = 0 } = await result
  if (warning !== undefined) terminal.stderr.write(`${warning}\n`)
  terminal.stdout.write(`${isJson ? JSON.stringify(json) : text}\n`)
  return exitCode
}
