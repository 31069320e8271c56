import type { Route } from '#platform/http/routes/route'

const BASE = /^\/svc\/[^/]+\/api\/v1\/openapi\//

export function actionNameOf(route: Route, routes: readonly Route[]): string {
  const names = namesOf(route.path)
  if (route.method === 'PUT') return [...names, 'update'].join('.')
  if (route.method === 'DELETE') return [...names, 'delete'].join('.')
  return (isCollection(route, routes) ? [...names, 'create'] : names).join('.')
}

export function objectTypeOf(path: string): string {
  const segments = path.replace(BASE, '').split('/')
  const lastId = segments.findLastIndex(isParameter)
  return segments[lastId === -1 ? 0 : lastId - 1] ?? ''
}

function isCollection({ path, method }: Route, routes: readonly Route[]): boolean {
  return routes.some(
    (other) => (other.path === path && other.method !== method) || other.path.startsWith(`${path}/:`),
  )
}

function namesOf(path: string): string[] {
  return path
    .replace(BASE, '')
    .split('/')
    .filter((segment) => !isParameter(segment) && segment !== 'self')
}

export function isParameter(segment: string): boolean {
  return segment.startsWith(':')
}
