import type { ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { BlockableButton } from '#components/blockable-button.tsx'

interface ActionButtonProps extends ButtonProps {
  /** A user who lacks it here sees the button with the reason why it cannot be used. */
  readonly scope?: string
  /** Why the state of the object does not allow the action now. */
  readonly blocked?: string | undefined
  readonly onClick: () => void
  readonly children: ReactNode
}

/** A button of an action. */
export function ActionButton({ scope, blocked, ...props }: ActionButtonProps) {
  const { t } = useTranslation('components')
  const api = useApi()
  const reason = scope === undefined || api.can(scope) ? blocked : t('action.scope_missing', { scope })
  return <BlockableButton size="sm" variant="default" {...props} blocked={reason} />
}
