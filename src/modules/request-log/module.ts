import { defineModule } from '#platform/module'
import { requestLogRoutes } from './api/routes.ts'
import type { RequestLogDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { Recorder } from './recording/recorder.ts'
import { searchRequests } from './requests/search-requests.ts'
import { requestLogTables } from './storage/partitions.ts'
import { REQUEST_LOG_PERSONAL_DATA } from './storage/personal-data.ts'

export const requestLogModule = defineModule({
  name: 'request-log',
  errors: errors.catalogue,
  personalData: REQUEST_LOG_PERSONAL_DATA,
  connect: (deps: RequestLogDependencies) => {
    const recorder = deps.days === 0 ? undefined : new Recorder(deps)
    return {
      recorder,
      routes: requestLogRoutes(deps),
      search: { scope: 'logs:read', search: searchRequests },
      partitionedTables: requestLogTables(deps.days),
      close: async () => recorder?.close(),
    }
  },
})
