import { defineModule } from '#platform/module'
import type { Database } from '#platform/postgres/database'
import { idempotencyPurge } from './idempotency.ts'
import { IDEMPOTENCY_PERSONAL_DATA } from './personal-data.ts'

export const idempotencyModule = defineModule({
  name: 'idempotency',
  personalData: IDEMPOTENCY_PERSONAL_DATA,
  connect: (db: Database) => ({ jobs: [idempotencyPurge(db)] }),
})
