import { Button, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { AccountDialog } from '#pages/account/account-dialog.tsx'

const MAX_NAME_LENGTH = 60

interface AddByNameProps<Result> {
  /** Of the button, of the dialog and of its confirmation. */
  readonly label: string
  readonly nameLabel: string
  readonly placeholder?: string
  readonly add: (name: string) => Promise<Result>
  readonly doneMessage?: string
  readonly onDone: (result: Result) => unknown
}

/** A button that asks for a name, and adds what has it. */
export function AddByName<Result>(props: AddByNameProps<Result>) {
  const { label, nameLabel, placeholder, add, ...rest } = props
  const [isOpen, dialog] = useDisclosure()
  const [name, setName] = useState('')
  return (
    <>
      <Button variant="default" size="xs" onClick={dialog.open}>
        {label}
      </Button>
      <AccountDialog
        {...rest}
        opened={isOpen}
        onClose={() => {
          dialog.close()
          setName('')
        }}
        title={label}
        confirmLabel={label}
        run={() => add(name.trim())}
      >
        <TextInput
          label={nameLabel}
          {...(placeholder !== undefined && { placeholder })}
          required
          withAsterisk={false}
          data-autofocus
          maxLength={MAX_NAME_LENGTH}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </AccountDialog>
    </>
  )
}
