import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Quittance } from 'quittance'
import { useCallback, useState } from 'react'
import { Attempt, OutcomeUnknownError } from '#app/attempt.ts'
import { useApi } from '#app/shell-context.ts'

interface WriteOptions<Input, Result> {
  /** Sends through this client, which sends each request once. */
  readonly write: (quittance: Quittance, input: Input) => Promise<Result>
  /** Default: `WRITE_MS`. */
  readonly timeoutMs?: number | undefined
  /** A dialog checks its input against what it shows, so that nothing is read again while the same may be sent again. */
  readonly isDialog?: boolean
  readonly onSuccess?: (result: Result, input: Input) => unknown
  readonly onError?: (error: Error) => unknown
}

/**
 * Changes something of this business and environment, now or not at all: it is never sent later by itself. If nobody
 * knows whether it was done, pressing again sends the same idempotency key. All lists and objects are read again
 * afterwards.
 */
export function useWrite<Result, Input = void>(options: WriteOptions<Input, Result>) {
  const { write, timeoutMs, isDialog = false, onSuccess, onError } = options
  const api = useApi()
  const queryClient = useQueryClient()
  const readAgain = useCallback(
    () => queryClient.invalidateQueries({ queryKey: api.key() }),
    [queryClient, api],
  )
  const [attempt] = useState(() => new Attempt())
  const mutation = useMutation<Result, Error, Input>({
    mutationFn: async (input) => {
      try {
        return await write(api.writer(attempt.send, timeoutMs), input)
      } catch (error) {
        throw attempt.failureOf(error)
      }
    },
    onSuccess: (result, input) => {
      attempt.renew()
      return onSuccess?.(result, input)
    },
    onError: (error) => onError?.(error),
    onSettled: (_, error) => (isDialog && error instanceof OutcomeUnknownError ? undefined : readAgain()),
  })
  const { reset } = mutation
  /** Ends the attempt. What comes next is something new. */
  const end = useCallback(() => {
    if (attempt.isUnknown) void readAgain()
    attempt.renew()
    reset()
  }, [attempt, readAgain, reset])
  return { ...mutation, end }
}
