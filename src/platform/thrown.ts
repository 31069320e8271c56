/** What can be said of what was thrown, which may be anything. */

/** The code that system errors, SQLSTATEs of PostgreSQL and errors of libraries have; undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
