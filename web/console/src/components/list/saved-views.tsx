import { ActionIcon, Button, Group, Popover, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '#components/icons.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListSettings } from '#components/list/list-settings.ts'
import type { ListDefinition, View } from '#components/list/list-types.ts'
import classes from './saved-views.module.css'

interface SavedViewsProps<Row> {
  readonly list: ListDefinition<Row>
  readonly filter: string
  readonly settings: ListSettings
  readonly onChoose: (view: View) => void
  readonly onChange: (views: readonly View[]) => void
}

/** The views that everyone has, then those of the user. */
export function SavedViews<Row>({ list, filter, settings, onChoose, onChange }: SavedViewsProps<Row>) {
  const { t } = useTranslation([list.name, 'components'])
  const shared: readonly View[] = [{ name: 'all', filter: '' }, ...(list.views ?? [])]
  const isKnown = [...shared, ...settings.views].some((view) => view.filter === filter)
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const save = () => {
    const trimmed = name.trim()
    if (trimmed === '') return
    const others = settings.views.filter((view) => view.name !== trimmed)
    onChange([...others, { name: trimmed, filter, ...(settings.columns && { columns: settings.columns }) }])
    setOpen(false)
    setName('')
  }
  const button = (view: View, label: string) => (
    <button
      type="button"
      key={label}
      className={classes.view}
      aria-pressed={view.filter === filter}
      onClick={() => onChoose(view)}
    >
      {label}
    </button>
  )
  // Nothing to choose from but all rows.
  if (isKnown && shared.length + settings.views.length === 1) return null
  return (
    <Group gap={6} role="group" aria-label={t('components:view.views')}>
      {shared.map((view) =>
        button(view, view.name === 'all' ? t('components:view.all') : t(`view.${view.name}`)),
      )}
      {settings.views.map((view) => (
        <Group key={view.name} gap={0} wrap="nowrap">
          {button(view, view.name)}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={t('components:view.remove', { name: view.name })}
            onClick={() => onChange(settings.views.filter((other) => other !== view))}
          >
            <IconX size={12} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {!isKnown && (
        <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus>
          <Popover.Target>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => setOpen(true)}
            >
              {t('components:view.save')}
            </Button>
          </Popover.Target>
          <Popover.Dropdown aria-label={t('components:view.save')}>
            <form
              onSubmit={(event) => {
                event.preventDefault()
                save()
              }}
            >
              <Group gap="xs" align="flex-end">
                <TextInput
                  label={t('components:view.name')}
                  value={name}
                  maxLength={40}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <Button type="submit">{t('components:view.save')}</Button>
              </Group>
            </form>
          </Popover.Dropdown>
        </Popover>
      )}
    </Group>
  )
}
