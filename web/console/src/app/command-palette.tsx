import '@mantine/spotlight/styles.css'
import { Text } from '@mantine/core'
import { Spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigationOf } from '#app/navigation.ts'
import { paletteStore } from '#app/palette-store.ts'
import { useApi } from '#app/shell-context.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { resultLink } from '#pages/search/result-link.ts'
import { useResults } from '#pages/search/use-search.ts'
import classes from './command-palette.module.css'

const MAX_RESULTS = 8

/** The library marks the chosen action in the document, and has no public way to choose one. */
function selectFirst(): void {
  const list = document.getElementById(paletteStore.getState().listId)
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected')
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  paletteStore.updateState((state) => ({ ...state, selected: 0 }))
}

/** Opens pages and finds objects, with the keyboard alone. */
export function CommandPalette() {
  const { t } = useTranslation(['app', 'search'])
  const navigate = useNavigate()
  const api = useApi()
  const [query, setQuery] = useState('')
  const { results } = useResults(query, MAX_RESULTS)
  // Results arrive after typing. The best one is what Enter opens.
  useEffect(() => {
    if (query.trim() !== '' && results.length > 0) selectFirst()
  }, [query, results])
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
      maxHeight={440}
      yOffset="12vh"
      centered={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      clearQueryOnClose
      classNames={{ action: classes.action ?? '' }}
      attributes={{ content: { 'aria-label': t('palette.placeholder') } }}
    >
      <Spotlight.Search
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {results.length > 0 && (
          <Spotlight.ActionsGroup label={t('palette.objects')}>
            {results.map((result) => (
              <Spotlight.Action
                key={`${result.type} ${result.id}`}
                label={result.title}
                description={[t(`search:type.${result.type}`), result.subtitle]
                  .filter((part) => part !== null)
                  .join(' · ')}
                rightSection={result.state === null ? undefined : <StateBadge state={result.state} />}
                onClick={() => void navigate({ to: resultLink(result) })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {wanted !== '' && (
          <Spotlight.Action
            label={t('search:all', { query: query.trim() })}
            leftSection={<IconSearch size={18} aria-hidden />}
            onClick={() => void navigate({ to: '/search', search: { query: query.trim() } })}
          />
        )}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label={t('palette.pages')}>
            {pages.map(({ name, to, label, icon: Icon, shortcut }) => (
              <Spotlight.Action
                key={name}
                label={label}
                leftSection={<Icon size={18} aria-hidden />}
                rightSection={
                  shortcut !== undefined && (
                    <Text span size="xs" c="dimmed">
                      g {shortcut}
                    </Text>
                  )
                }
                onClick={() => void navigate({ to })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
