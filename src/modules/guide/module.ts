import { defineModule } from '#platform/module'
import type { GuideDependencies } from './dependencies.ts'
import { guidePages } from './routes.ts'

export const guideModule = defineModule({
  name: 'guide',
  connect: (deps: GuideDependencies) => ({ pages: guidePages(deps) }),
})
