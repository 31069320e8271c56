import { defineModule } from '#platform/module'
import { timelineRoutes } from './api/routes.ts'
import type { TimelinesDependencies } from './dependencies.ts'

export const timelinesModule = defineModule({
  name: 'timelines',
  connect: (deps: TimelinesDependencies) => ({ routes: timelineRoutes(deps) }),
})
