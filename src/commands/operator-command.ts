import type { Command } from 'commander'
import type { Businesses } from '#modules/businesses'
import type { Config } from '#platform/config'
import type { OpenKeyring } from '#platform/security/key-source'
import type { OperatorDatabase } from './operator-database.ts'
import type { Terminal } from './terminal.ts'

export interface CommandContext extends OperatorDatabase, OpenKeyring {
  readonly config: Config
  readonly terminal: Terminal
  readonly businesses: Businesses
  readonly keyIdsInUse: readonly string[]
}

export interface CommandResult {
  readonly json: object
  readonly text: string
  readonly warning?: string
  readonly exitCode?: number
}

export type OperatorCommand = (context: CommandContext) => Promise<CommandResult>

export type RunCommand = (command: Command, load: () => Promise<OperatorCommand>) => Promise<void>
