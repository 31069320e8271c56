import pg from 'pg'

const UNIQUE_VIOLATION = '23505'

/**
 * Whether a statement failed because somebody was faster with the same values.
 * @param constraint the name of the unique constraint or index
 */
export function violates(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
  )
}
