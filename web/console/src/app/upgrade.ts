import { CONSOLE_PATH } from '#app/base-path.ts'

/** A script or a style of the console could not be loaded: without a connection, or from a tab older than the service. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
}

let isOutdated = false
const failures = new WeakSet<Error>()

export function isLoadFailure(error: unknown): boolean {
  return error instanceof LoadError || (error instanceof Error && failures.has(error))
}

/** Whether the service has another build of the console than this tab. */
export async function findUpgrade(): Promise<boolean> {
  if (isOutdated) return true
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src
  if (entry === undefined) return false
  try {
    const response = await fetch(CONSOLE_PATH, { cache: 'no-store' })
    isOutdated = response.ok && !(await response.text()).includes(`"${entry.replace(location.origin, '')}"`)
  } catch {
    // Without a connection nobody knows, and reloading would lose the page.
  }
  return isOutdated
}

/** Watches for files that a newer build no longer has, including those of pages that the pointer only rests on. */
export function watchForUpgrades(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    failures.add(payload)
    void findUpgrade()
  })
}

/** Loads the page that is opened from the service if the tab is known to be outdated. */
export function reloadIfOutdated(): void {
  if (isOutdated) location.reload()
}
