import { defineModule } from '#platform/module'
import type { ConsoleDependencies } from './dependencies.ts'
import { consolePages } from './routes.ts'

export const consoleModule = defineModule({
  name: 'console',
  connect: (deps: ConsoleDependencies) => ({ pages: consolePages(deps) }),
})
