import { RequestError } from '#kernel/errors'

/** The reason of the `RequestError` with which `work` failed; `done` when it succeeded. */
export async function reasonOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof RequestError) return error.reason
      throw error
    },
  )
}
