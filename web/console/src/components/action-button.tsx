import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'

interface ActionButtonProps extends ButtonProps {
  /** Whoever lacks it here sees the button with the reason why it cannot be used. */
  readonly scope?: string
  /** Why the state of the object does not allow the action now. */
  readonly blocked?: string | undefined
  readonly onClick: () => void
  readonly children: ReactNode
}

/** A button of an action. It keeps the focus when it is disabled, so that the reason can be read by keyboard. */
export function ActionButton({ scope, blocked, onClick, children, ...props }: ActionButtonProps) {
  const { t } = useTranslation('components')
  const api = useApi()
  const reason = scope === undefined || api.can(scope) ? blocked : t('action.scope_missing', { scope })
  // The tooltip stays around the button when the reason goes, because a new button would not have the focus.
  return (
    <Tooltip label={reason} disabled={reason === undefined}>
      <Button
        size="sm"
        variant="default"
        {...props}
        {...(reason !== undefined && { 'data-disabled': true, 'aria-disabled': true })}
        onClick={(event) => {
          if (reason === undefined) onClick()
          else event.preventDefault()
        }}
      >
        {children}
      </Button>
    </Tooltip>
  )
}
