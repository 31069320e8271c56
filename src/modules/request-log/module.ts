import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { requestLogRoutes } from './api/routes.ts'
import type { RequestLogDependencies } from './dependencies.ts'
import { RequestLog } from './request-log.ts'
import { REQUEST_LOG_PERSONAL_DATA } from './storage/personal-data.ts'

export const requestLogModule = defineModule({
  name: 'request-log',
  errors: errors.catalogue,
  personalData: REQUEST_LOG_PERSONAL_DATA,
  connect: (deps: RequestLogDependencies) => {
    const requestLog = new RequestLog(deps)
    return {
      recorder: requestLog.recorder,
      routes: requestLogRoutes(requestLog),
      search: { scope: 'logs:read', search: (tx, search) => requestLog.search(tx, search) },
      partitionedTables: requestLog.tables,
      close: () => requestLog.close(),
    }
  },
})
