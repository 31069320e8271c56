import type { FastifyInstance } from 'fastify'
import { defineModule } from '#platform/module'
import { rewrapAcquirerCredentials } from './accounts/rewrap.ts'
import { Acquirers } from './acquirers.ts'
import { domainFilePage } from './api/domain-file-page.ts'
import { acquirerRoutes } from './api/routes.ts'
import { verifyAcquirers } from './audit/verify.ts'
import type { AcquirersDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { noticeRoutes } from './notices/notice-route.ts'

export const acquirersModule = defineModule({
  name: 'acquirers',
  errors: errors.catalogue,
  verify: verifyAcquirers,
  rewraps: [rewrapAcquirerCredentials],
  connect: (deps: AcquirersDependencies) => {
    const acquirers = new Acquirers(deps)
    return {
      acquirers,
      routes: acquirerRoutes(acquirers.context),
      pages: (app: FastifyInstance) => {
        noticeRoutes(acquirers)(app)
        domainFilePage(deps.db)(app)
      },
      jobs: acquirers.jobs,
      close: () => acquirers.close(),
    }
  },
})
