import { ActionIcon, type ActionIconProps, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconPlus, IconX } from '#components/icons.tsx'

interface RemoveButtonProps extends Pick<ActionIconProps, 'mb' | 'mt' | 'style'> {
  readonly label: string
  readonly onClick: () => void
}

/** Removes the row in which it stands. */
export function RemoveButton({ label, ...others }: RemoveButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} {...others}>
      <IconX size={14} aria-hidden />
    </ActionIcon>
  )
}

interface AddButtonProps {
  readonly onClick: () => void
  readonly children: ReactNode
}

/** Adds a row below those above it. */
export function AddButton({ onClick, children }: AddButtonProps) {
  return (
    <Button variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  )
}
