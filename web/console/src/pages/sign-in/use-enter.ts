import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { CONSOLE_PATH } from '#app/base-path.ts'
import { forgetSession } from '#app/session.ts'

/** The address of a page of the console, which is known with or without the path of the console. */
export function addressOf(to = '/'): string {
  const { pathname, search, hash, origin } = new URL(to, location.origin)
  if (origin !== location.origin) return CONSOLE_PATH
  const path = pathname.startsWith(CONSOLE_PATH) ? pathname.slice(CONSOLE_PATH.length) : pathname.slice(1)
  return `${CONSOLE_PATH}${path}${search}${hash}`
}

/** Goes on after a sign-in, to the address that the visitor wanted. Addresses outside the console are not followed. */
export function useEnter(to?: string): () => Promise<void> {
  const router = useRouter()
  return useCallback(async () => {
    forgetSession()
    await router.invalidate()
    router.history.push(addressOf(to))
  }, [router, to])
}
