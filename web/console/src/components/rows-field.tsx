import { Fieldset, Group, Stack } from '@mantine/core'
import { AddButton, RemoveButton } from '#components/row-buttons.tsx'
import type { ReactNode } from 'react'

interface RowsFieldProps<Row> {
  readonly rows: readonly Row[]
  readonly added: Row
  readonly addLabel: string
  /** Also the legend of the row. */
  readonly labelOf: (row: Row, index: number) => string
  readonly removeLabel: (row: Row, index: number) => string
  readonly onChange: (rows: readonly Row[]) => void
  readonly children: (row: Row, change: (members: Partial<Row>) => void) => ReactNode
}

/** Groups of fields of which there are any number. */
export function RowsField<Row extends object>(props: RowsFieldProps<Row>) {
  const { rows, added, addLabel, labelOf, removeLabel, onChange, children } = props
  return (
    <>
      {rows.map((row, index) => (
        // A row has no id of its own, and only its place distinguishes it.
        // oxlint-disable-next-line react/no-array-index-key
        <Fieldset key={index} legend={labelOf(row, index)}>
          <Stack gap="xs">
            {children(row, (members) => onChange(rows.with(index, { ...row, ...members })))}
            <Group justify="flex-end">
              <RemoveButton
                label={removeLabel(row, index)}
                onClick={() => onChange(rows.toSpliced(index, 1))}
              />
            </Group>
          </Stack>
        </Fieldset>
      ))}
      <AddButton onClick={() => onChange([...rows, added])}>{addLabel}</AddButton>
    </>
  )
}
