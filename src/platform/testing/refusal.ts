import { RequestError } from '#kernel/errors'

/** The reason for which a request was refused; `done` where it was not. */
export async function reasonOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof RequestError) return error.reason
      throw error
    },
  )
}
