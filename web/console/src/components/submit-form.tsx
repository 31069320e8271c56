import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorState } from '#components/error-state.tsx'

export interface Submission {
  readonly mutate: () => void
  readonly isPending: boolean
  readonly error: Error | null
}

interface SubmitFormProps {
  readonly submission: Submission
  readonly submitLabel: string
  /** The fields. */
  readonly children?: ReactNode
  /** What else may be done. */
  readonly footer?: ReactNode
}

/** Fields over one button that sends them, with the refusal between. */
export function SubmitForm({ submission, submitLabel, children, footer }: SubmitFormProps) {
  const { mutate, isPending, error } = submission
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <Stack gap="md">
        {children}
        {error !== null && <ErrorState error={error} />}
        <Button type="submit" loading={isPending}>
          {submitLabel}
        </Button>
        {footer}
      </Stack>
    </form>
  )
}
