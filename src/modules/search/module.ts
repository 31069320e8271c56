import { defineModule } from '#platform/module'
import { searchRoutes } from './api/routes.ts'
import type { SearchDependencies } from './dependencies.ts'

export const searchModule = defineModule({
  name: 'search',
  connect: (deps: SearchDependencies) => ({ routes: searchRoutes(deps) }),
})
