import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { BlockableButton } from '#components/blockable-button.tsx'
import { ErrorState } from '#components/error-state.tsx'
import type { Submission } from '#components/submit-form.tsx'

interface SettingsFormProps {
  readonly submission: Submission
  /** Who has it may save. */
  readonly scope: string
  readonly saveLabel: string
  readonly isComplete: boolean
  /** What the settings do, and which scope changes them. */
  readonly intro?: string
  /** The fields. */
  readonly children: ReactNode
}

/** Fields of a section of settings over the button that saves them, with the refusal between. */
export function SettingsForm(props: SettingsFormProps) {
  const { submission, scope, saveLabel, isComplete, intro, children } = props
  const { mutate, isPending, error } = submission
  const { t } = useTranslation('components')
  const mayEdit = useApi().can(scope)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <Stack gap="sm">
        {intro !== undefined && (
          <Text size="sm" c="dimmed">
            {intro}
          </Text>
        )}
        {intro !== undefined && !mayEdit && <Text size="sm">{t('action.scope_missing', { scope })}</Text>}
        {children}
        {error !== null && <ErrorState error={error} />}
        {mayEdit && (
          <Group justify="flex-end">
            <BlockableButton
              type="submit"
              loading={isPending}
              blocked={isComplete ? undefined : t('dialog.incomplete')}
            >
              {saveLabel}
            </BlockableButton>
          </Group>
        )}
      </Stack>
    </form>
  )
}
