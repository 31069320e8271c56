import type { RequestError } from '#kernel/errors'
import { platformErrors } from '#platform/errors'

/** @param first the id of the object that has the reference id; undefined if it is gone meanwhile */
export function referenceTaken(kind: string, first: string | undefined): RequestError {
  return platformErrors.reference_id_taken({
    param: `${kind}.reference_id`,
    ...(first !== undefined && { data: { [kind]: { id: first } } }),
  })
}
