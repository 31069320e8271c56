import '@mantine/spotlight/styles.css'
import { Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigationOf } from '#app/navigation.ts'
import { paletteStore } from '#app/palette-store.ts'
import { useApi } from '#app/shell-context.ts'

/** Opens pages and finds objects, with the keyboard alone. */
export function CommandPalette() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const api = useApi()
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const pages = navigationOf(api)
    .flatMap(({ entries }) => entries)
    .map((entry) => ({ ...entry, label: t(`navigation.${entry.name}`) }))
    .filter(({ label, name }) => label.toLowerCase().includes(wanted) || name.includes(wanted))
  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      maxHeight={420}
      clearQueryOnClose
    >
      <Spotlight.Search
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>
        <Spotlight.ActionsGroup label={t('palette.pages')}>
          {pages.map(({ name, to, label, icon: Icon, shortcut }) => (
            <Spotlight.Action
              key={name}
              label={label}
              leftSection={<Icon size={18} aria-hidden />}
              rightSection={shortcut === undefined ? undefined : `g ${shortcut}`}
              onClick={() => void navigate({ to })}
            />
          ))}
        </Spotlight.ActionsGroup>
        {pages.length === 0 && <Spotlight.Empty>{t('palette.nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
