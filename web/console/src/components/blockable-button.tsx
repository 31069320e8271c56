import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

interface BlockableButtonProps extends ButtonProps {
  /** Why it cannot be pressed now. */
  readonly blocked: string | undefined
  readonly type?: 'submit'
  readonly onClick?: () => void
  readonly children: ReactNode
}

/** A button that says why it cannot be pressed. It keeps the focus then, so that the reason can be read by keyboard. */
export function BlockableButton({ blocked, onClick, children, ...props }: BlockableButtonProps) {
  // The tooltip stays around the button when the reason goes, because a new button would not have the focus.
  return (
    <Tooltip label={blocked} disabled={blocked === undefined}>
      <Button
        {...props}
        {...(blocked !== undefined && { 'data-disabled': true, 'aria-disabled': true })}
        onClick={(event) => {
          if (blocked === undefined) onClick?.()
          else event.preventDefault()
        }}
      >
        {children}
      </Button>
    </Tooltip>
  )
}
