import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconColumns3 } from '#components/icons.tsx'
import { useTranslation } from 'react-i18next'
import type { ListDefinition } from '#components/list/list-types.ts'

interface ColumnMenuProps<Row> {
  readonly list: ListDefinition<Row>
  readonly columns: readonly string[]
  readonly onChange: (columns: readonly string[]) => void
}

export function ColumnMenu<Row>({ list, columns, onChange }: ColumnMenuProps<Row>) {
  const { t } = useTranslation([list.name, 'components'])
  const toggle = (id: string) => {
    const isChosen = (other: string) => (other === id) !== columns.includes(other)
    const changed = list.columns.map((column) => column.id).filter(isChosen)
    if (changed.length > 0) onChange(changed)
  }
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          visibleFrom="sm"
          leftSection={<IconColumns3 size={14} aria-hidden />}
        >
          {t('components:list.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('components:list.columns')}>
        <Stack gap={8}>
          {list.columns.map(({ id }) => (
            <Checkbox
              key={id}
              size="sm"
              label={t(`column.${id}`)}
              checked={columns.includes(id)}
              onChange={() => toggle(id)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
