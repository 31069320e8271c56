import { lazyRouteComponent } from '@tanstack/react-router'
import { LoadError } from '#app/upgrade.ts'

/** A page that is loaded when it is opened. The router itself would load the console again, which fails without a connection. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((cause: unknown) => {
        throw new LoadError('The page could not be loaded', { cause })
      }),
    name,
  )
