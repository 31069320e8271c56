import type { FastifyInstance } from 'fastify'
import type { Sql } from 'sql-template-tag'
import type { ErrorCatalogue } from '#kernel/errors'
import type { Route, Scope } from '#platform/http/routes/route'
import type { Job } from '#platform/jobs/jobs'
import type { PersonalData } from '#platform/personal-data/personal-data'
import type { Database, Tx } from '#platform/postgres/database'
import type { PartitionedTable } from '#platform/postgres/partitions/partitions'
import type { Search, SearchHit } from '#platform/search/search'
import type { Keyring } from '#platform/security/keyring'
import type { Rewrap } from '#platform/security/rewrap'
import type { Verification } from '#platform/verify'

export interface ModuleDefinition<Name extends string, Dependencies, Connected extends ConnectedModule> {
  readonly name: Name
  readonly errors?: ErrorCatalogue
  readonly verify?: (db: Database) => Verification
  readonly rewraps?: readonly ((db: Database, keyring: Keyring) => Rewrap)[]
  readonly personalData?: PersonalData
  readonly endLeases?: Sql | readonly Sql[]
  readonly connect: (deps: Dependencies) => Connected
}

export interface ConnectedModule {
  readonly routes?: readonly Route[]
  readonly pages?: (app: FastifyInstance) => void
  readonly jobs?: readonly Job[]
  readonly search?: SearchSource
  readonly workers?: readonly Worker[]
  readonly partitionedTables?: readonly PartitionedTable[]
  readonly close?: () => Promise<void>
}

export interface SearchSource {
  readonly scope: Scope
  readonly search: (tx: Tx, search: Search) => Promise<SearchHit[]>
}

interface Worker {
  start(): void
  stop(): Promise<void>
}

export function defineModule<const Name extends string, Dependencies, Connected extends ConnectedModule>(
  definition: ModuleDefinition<Name, Dependencies, Connected>,
): ModuleDefinition<Name, Dependencies, Connected> {
  return definition
}
