import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { CONSOLE_PATH } from '#app/base-path.ts'
import { forgetSession } from '#app/session.ts'

/** Goes on after a sign-in, to the address that the visitor wanted. Addresses outside the console are not followed. */
export function useEnter(to?: string): () => Promise<void> {
  const router = useRouter()
  return useCallback(async () => {
    forgetSession()
    await router.invalidate()
    const { pathname, search, hash, origin } = new URL(to ?? '/', location.origin)
    const isOwn = origin === location.origin
    const path = pathname.startsWith(CONSOLE_PATH) ? `/${pathname.slice(CONSOLE_PATH.length)}` : pathname
    router.history.push(isOwn ? `${CONSOLE_PATH}${path.slice(1)}${search}${hash}` : CONSOLE_PATH)
  }, [router, to])
}
