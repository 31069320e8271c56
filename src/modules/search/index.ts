export { searchRoutes } from './api/routes.ts'
export { SearchService } from './search.ts'
